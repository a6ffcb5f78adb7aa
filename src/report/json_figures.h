/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of bpf/figures.h in JSON, both ways. stats is the struct of the scope; see
 * model/figures.h.
 */
#pragma once

#include "model/figures.h"
#include "model/profile.h"
#include "report/json_reader.h"
#include "report/json_writer.h"

/* Puts a figure, or null; transfers and unknown are those of figures_known_if(). */
void json_put_figure(struct json_object *o, enum figure_id id, enum figure_scope scope,
		     const void *stats, bool transfers, unsigned unknown);
/* Puts the rates of a sum of calls of a profile; null for those that are not known. */
void json_put_rates(struct json_object *o, enum figure_scope scope, const void *stats,
		    bool transfers, const struct profile *p);
void json_put_figure_histogram(struct json_object *o, enum histogram_id id, enum figure_scope scope,
			       const void *stats, bool transfers, unsigned unknown);

/*
 * Puts the figures of a row, and its histograms as lists of [low, count], but none that is 0, empty
 * or not known, nor those that are a mean or what two others leave.
 */
void json_put_sparse_figures(struct json_object *o, enum figure_scope scope, const void *stats,
			     bool transfers, unsigned unknown);
void json_put_sparse_histograms(struct json_object *o, enum figure_scope scope, const void *stats,
				bool transfers, unsigned unknown);
/* Reads both. */
void json_read_sparse_figures(const struct json_node *row, enum figure_scope scope, void *stats);

/*
 * Returns the bits of enum profile_unknown that a row of an older capture leaves unknown, because
 * it lacks the figures that need them. A file's row tells so of the figures that syscalls have not.
 */
unsigned json_figures_lacking(const struct json_node *row, enum figure_scope scope);
/*
 * Reads all counters and histograms, and checks that there are calls, and that each counter is
 * within what it is a part of. Errors are set as in json_reader.h.
 */
void json_read_figures(const struct json_node *row, enum figure_scope scope, void *stats,
		       bool transfers, unsigned unknown);
