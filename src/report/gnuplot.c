// SPDX-License-Identifier: GPL-2.0
#include "report/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "base/descriptor.h"
#include "base/text.h"
#include "report/gnuplot_script.h"

static const char name[] = "gnuplot";

int gnuplot_check(void)
{
	char *path;
	int err = find_command(name, &path);

	free(path);
	return err;
}

/* Its streams, files in memory. */
struct streams {
	int in, out, err;
};

static int open_streams(struct streams *s)
{
	int *const all[] = { &s->in, &s->out, &s->err };

	for (size_t i = 0; i < 3; i++)
		*all[i] = -1;
	for (size_t i = 0; i < 3; i++) {
		*all[i] = above_stdio(memfd_create(name, MFD_CLOEXEC));
		if (*all[i] < 0)
			return -errno;
	}
	return 0;
}

static void close_streams(struct streams *s)
{
	close_fd(&s->in);
	close_fd(&s->out);
	close_fd(&s->err);
}

static int write_script(int fd, const struct picture *p, const char *extension)
{
	int copy = dup(fd), err = 0;
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out)
		return -errno;
	gnuplot_print(out, p, extension);
	if (fclose(out))
		err = -errno;
	return err || lseek(fd, 0, SEEK_SET) < 0 ? -EIO : 0;
}

/* Our signals are blocked, and SIGPIPE is ignored; neither is meant for others. 0 or an errno. */
static int let_signals_through(posix_spawnattr_t *attributes)
{
	sigset_t none, pipe;
	int err = posix_spawnattr_init(attributes);

	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	if (!err)
		err = posix_spawnattr_setsigmask(attributes, &none);
	if (!err)
		err = posix_spawnattr_setsigdefault(attributes, &pipe);
	if (!err)
		err = posix_spawnattr_setflags(attributes,
					       POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return err;
}

/* Runs it to its end. Its wait status, or -errno. */
static int run(const struct streams *s, const char *path)
{
	/* Without the user's own settings. */
	char *const argv[] = { (char *)name, (char *)"-d", (char *)"-", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t signals;
	pid_t pid;
	int status, err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	err = let_signals_through(&signals);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, s->in, STDIN_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, s->out, STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, s->err, STDERR_FILENO);
	if (!err)
		err = posix_spawn(&pid, path, &actions, &signals, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&signals);
	if (err)
		return -err;
	return TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0 ? -errno : status;
}

/* 0 or -errno. */
static int read_all(int fd, char **text, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	ssize_t nr = 1;

	*len = 0;
	*text = size < 0 ? NULL : malloc((size_t)size + 1);
	if (!*text)
		return -ENOMEM;
	for (; nr > 0 && *len<(size_t)size; *len += nr> 0 ? (size_t)nr : 0)
		nr = pread(fd, *text + *len, (size_t)size - *len, (off_t)*len);
	(*text)[*len] = '\0';
	return *len == (size_t)size ? 0 : -EIO;
}

/* The line that says what is wrong: the last that it has printed. */
static void say_why(int fd, char *why, size_t size)
{
	char *text = NULL, *line;
	size_t len;

	snprintf(why, size, "gnuplot failed");
	if (!read_all(fd, &text, &len)) {
		while (len && (text[len - 1] == '\n' || text[len - 1] == ' '))
			text[--len] = '\0';
		line = strrchr(text, '\n');
		line = line ? line + 1 : text;
		line += strspn(line, " \t^");
		if (*line && size > 20) {
			strcpy(why, "gnuplot: ");
			escape_text(why + 9, size - 9, line, strlen(line));
		}
	}
	free(text);
}

static int draw(struct streams *s, const struct picture *p, const char *extension, char **text,
		size_t *len, char *why, size_t size)
{
	char *path;
	int status, err = find_command(name, &path);

	if (!err)
		err = write_script(s->in, p, extension);
	status = err ? err : run(s, path);
	free(path);
	if (status > 0) {
		say_why(s->err, why, size);
		return -EIO;
	}
	err = status ? status : read_all(s->out, text, len);
	if (!err && !*len) {
		say_why(s->err, why, size);
		return -EIO;
	}
	if (err)
		snprintf(why, size, "gnuplot: %s", strerror(-err));
	return err;
}

int gnuplot_draw(const struct picture *p, const char *extension, char **text, size_t *len,
		 char *why, size_t size)
{
	struct streams streams;
	int err = open_streams(&streams);

	*text = NULL;
	*len = 0;
	if (err)
		snprintf(why, size, "%s", strerror(-err));
	else
		err = draw(&streams, p, extension, text, len, why, size);
	close_streams(&streams);
	return err;
}
