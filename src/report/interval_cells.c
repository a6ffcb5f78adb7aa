// SPDX-License-Identifier: GPL-2.0
#include "report/interval_cells.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/text.h"
#include "model/figures.h"
#include "model/rates.h"

/* Rates below this have decimals. */
#define FEW 100

/* The most habits whose new findings are named; the others are counted. */
#define MAX_NEWS 2

const char *const interval_headings[NR_INTERVAL_COLUMNS] = {
	[INTERVAL_TIME] = "time s",	    [INTERVAL_CALLS] = "calls/s",
	[INTERVAL_ERRORS] = "errors/s",	    [INTERVAL_BYTES] = "bytes/s",
	[INTERVAL_BUSY] = "busy %",	    [INTERVAL_P99] = "p99 run",
	[INTERVAL_FILE] = "costliest file", [INTERVAL_NEWS] = "new findings",
};

static char *seconds(uint64_t ns)
{
	char buf[32];

	return strdup(format_fixed(buf, sizeof(buf), (double)ns / 1e9, 3));
}

/* The number of a rate without its unit, which the heading has. */
static char *rate(enum rate_id id, const struct syscall_stats *sum, const struct profile *p)
{
	double value = rate_value(id, SCOPE_SYSCALL, sum, p->elapsed_ns);
	char buf[FORMATTED_COUNT];

	if (!isfinite(value))
		value = 0;
	if (figures[rates[id].of].unit == UNIT_BYTES)
		format_bytes(buf, sizeof(buf), rounded(value));
	else if (value > 0 && value < FEW)
		format_fixed(buf, sizeof(buf), value, 2);
	else
		format_grouped(buf, rounded(value));
	return strdup(buf);
}

static char *busy(const struct syscall_stats *sum, const struct profile *p)
{
	double ns = (double)figure_value(FIGURE_busy_ns, sum);
	char buf[32];

	return strdup(format_fixed(buf, sizeof(buf),
				   p->elapsed_ns ? 100 * ns / (double)p->elapsed_ns : 0, 1));
}

static char *p99(const struct syscall_stats *sum)
{
	struct syscall_stats running;
	char buf[32];

	syscall_stats_part(&running, sum, false);
	return running.timed
		       ? strdup(format_ns(buf, sizeof(buf), figure_value(FIGURE_p99_ns, &running)))
		       : strdup("");
}

/* ---- the costliest file ---- */

static double weight(const struct file_stats *f, bool timed)
{
	struct file_call sum;

	file_stats_sum(&sum, f, NR_SYSCALL_ACTIONS);
	return (double)(timed ? figure_value_in(SCOPE_FILE, FIGURE_busy_ns, &sum) : sum.calls);
}

static int add_file(struct interval_cells *c, const struct profile *p,
		    const struct syscall_stats *sum)
{
	bool timed = figure_known(FIGURE_busy_ns, sum, p->unknown);
	double all = (double)(timed ? figure_value(FIGURE_busy_ns, sum) : sum->calls), most = 0;
	const struct file_stats *costliest = NULL;

	for (size_t i = 0; i < p->nr_files; i++) {
		double own = p->files[i].id == FILE_ID_OTHER ? 0 : weight(&p->files[i], timed);

		if (own > most) {
			most = own;
			costliest = &p->files[i];
		}
	}
	if (!costliest || !costliest->path)
		return 0;
	snprintf(c->share, sizeof(c->share), "%.0f %%", all > 0 ? fmin(100 * most / all, 100) : 0);
	c->path = escape_text_dup(costliest->path, strlen(costliest->path));
	if (!c->path || asprintf(&c->texts[INTERVAL_FILE], "%s %s", c->path, c->share) < 0) {
		c->texts[INTERVAL_FILE] = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* ---- findings ---- */

static bool is_new(const struct seen_findings *seen, const struct interval_finding *f)
{
	bool many = seen->seen.nr_findings >= INTERVAL_FINDINGS;

	for (size_t i = 0; i < seen->seen.nr_findings; i++)
		if (same_text(seen->seen.findings[i].id, f->id) &&
		    (many || same_text(seen->seen.findings[i].path, f->path)))
			return false;
	return true;
}

/* The new findings of one habit. */
struct news {
	const char *id;
	size_t nr;
};

/* Counts a new finding with those of its habit. */
static void count_news(struct news *news, size_t *nr, const char *id)
{
	size_t i = 0;

	while (i < *nr && !same_text(news[i].id, id))
		i++;
	if (i == *nr)
		news[(*nr)++] = (struct news){ id, 0 };
	news[i].nr++;
}

/* Prints "flush-per-line (3), path-storm and 2 more". To be freed; NULL: no memory. */
static char *news_text(const struct news *news, size_t nr)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < nr && i < MAX_NEWS; i++) {
		fprintf(out, "%s%s", i ? ", " : "", news[i].id);
		if (news[i].nr > 1)
			fprintf(out, " (%zu)", news[i].nr);
	}
	if (nr > MAX_NEWS)
		fprintf(out, " and %zu more", nr - MAX_NEWS);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int add_news(struct interval_cells *c, const struct interval *i, struct seen_findings *seen)
{
	struct news *news = calloc(i->nr_findings + 1, sizeof(*news));
	size_t nr = 0;
	int err = news ? 0 : -ENOMEM;

	for (size_t k = 0; !err && k < i->nr_findings; k++) {
		if (!is_new(seen, &i->findings[k]))
			continue;
		count_news(news, &nr, i->findings[k].id);
		err = interval_add_finding(&seen->seen, &i->findings[k]);
	}
	if (!err && nr && !(c->texts[INTERVAL_NEWS] = news_text(news, nr)))
		err = -ENOMEM;
	free(news);
	return err;
}

/* ---- all of them ---- */

int interval_cells_make(struct interval_cells *c, const struct interval *i,
			struct seen_findings *seen)
{
	const struct profile *p = &i->profile;
	struct syscall_stats sum;
	int err;

	memset(c, 0, sizeof(*c));
	profile_sum(&sum, p);
	c->texts[INTERVAL_TIME] = seconds(i->end_ns);
	c->texts[INTERVAL_CALLS] = rate(RATE_CALLS, &sum, p);
	c->texts[INTERVAL_ERRORS] = rate(RATE_ERRORS, &sum, p);
	if (!(p->unknown & UNKNOWN_BYTES))
		c->texts[INTERVAL_BYTES] = rate(RATE_BYTES, &sum, p);
	if (!(p->unknown & figures[FIGURE_busy_ns].needs))
		c->texts[INTERVAL_BUSY] = busy(&sum, p);
	if (!(p->unknown & figures[FIGURE_waits].needs))
		c->texts[INTERVAL_P99] = p99(&sum);
	err = add_file(c, p, &sum);
	return err ? err : add_news(c, i, seen);
}

void interval_cells_free(struct interval_cells *c)
{
	for (size_t i = 0; i < NR_INTERVAL_COLUMNS; i++)
		free(c->texts[i]);
	free(c->path);
	memset(c, 0, sizeof(*c));
}

void seen_findings_free(struct seen_findings *seen)
{
	interval_free(&seen->seen);
}
