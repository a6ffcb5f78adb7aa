// SPDX-License-Identifier: GPL-2.0
#include "report/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "base/descriptor.h"
#include "base/limits.h"
#include "base/text.h"

/* The text of picture.gp. The path is relative to the top directory, where this is compiled. */
extern const char picture_script[];

__asm__(".section .rodata\n"
	".global picture_script\n"
	"picture_script:\n"
	".incbin \"src/report/picture.gp\"\n"
	".byte 0\n"
	".previous\n");

static const char name[] = "gnuplot";

const char *const gnuplot_extensions[] = { "svg", "png", "pdf", NULL };

int gnuplot_check(void)
{
	char *path;
	int err = find_command(name, &path);

	free(path);
	return err;
}

/*
 * The streams of gnuplot. Its input and its messages are files in memory. Its picture comes through
 * a pipe: gnuplot goes on when a limit on files cuts its output, and ends as if it had drawn it.
 */
struct streams {
	int in, err;
	int picture, out; /* The ends of the pipe, ours and gnuplot's. */
};

/* Returns 0 or -errno. */
static int open_streams(struct streams *s)
{
	int ends[2];

	*s = (struct streams){ -1, -1, -1, -1 };
	s->in = above_stdio(memfd_create(name, MFD_CLOEXEC));
	if (s->in >= 0)
		s->err = above_stdio(memfd_create(name, MFD_CLOEXEC));
	if (s->in < 0 || s->err < 0 || pipe2(ends, O_CLOEXEC))
		return -errno;
	s->picture = above_stdio(ends[0]);
	s->out = above_stdio(ends[1]);
	return s->picture < 0 || s->out < 0 ? -errno : 0;
}

/*
 * Begins to run it, without the user's own settings. Our signals are blocked, and SIGPIPE is
 * ignored; neither is meant for others. 0 or -errno.
 */
static int begin(struct streams *s, const char *path, pid_t *pid)
{
	char *const argv[] = { (char *)name, (char *)"-d", (char *)"-", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t signals;
	sigset_t none, pipe;
	int err;

	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawnattr_init(&signals);
	posix_spawnattr_setsigmask(&signals, &none);
	posix_spawnattr_setsigdefault(&signals, &pipe);
	posix_spawnattr_setflags(&signals, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	err = posix_spawn_file_actions_adddup2(&actions, s->in, STDIN_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, s->out, STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, s->err, STDERR_FILENO);
	if (!err)
		err = posix_spawn(pid, path, &actions, &signals, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&signals);
	close_fd(&s->out);
	return -err;
}

/* Reads a file from its offset to its end. 0 or -errno; the text is to be freed in either case. */
static int read_all(int fd, char **text, size_t *len)
{
	FILE *all = open_memstream(text, len);
	char part[4096];
	ssize_t nr = all ? 1 : -1;
	int err;

	while (nr > 0) {
		nr = TEMP_FAILURE_RETRY(read(fd, part, sizeof(part)));
		if (nr > 0 && fwrite(part, 1, (size_t)nr, all) != (size_t)nr)
			nr = -1;
	}
	err = nr < 0 ? -errno : 0;
	if (all && fclose(all) && !err)
		err = -errno;
	return err;
}

/* Runs it to its end. Returns its wait status, or -errno. */
static int run_to_end(struct streams *s, const char *path, char **text, size_t *len)
{
	pid_t pid;
	int status, err = begin(s, path, &pid);

	if (err)
		return err;
	err = read_all(s->picture, text, len);
	/* It ends when nobody reads what is left. */
	close_fd(&s->picture);
	if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
		return -errno;
	return err ? err : status;
}

/* Copies the line that says what is wrong: the last that gnuplot has printed. */
static void say_why(int fd, char *why, size_t size)
{
	char *text = NULL, *line;
	size_t len;

	snprintf(why, size, "gnuplot failed");
	if (lseek(fd, 0, SEEK_SET) == 0 && !read_all(fd, &text, &len)) {
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

	if (!err && (dprintf(s->in, "extension = '%s'\n%s$data << EOD\n%sEOD\n%s", extension,
			     p->values_text, p->data_text, picture_script) < 0 ||
		     lseek(s->in, 0, SEEK_SET) < 0))
		err = -errno;
	status = err ? err : run_to_end(s, path, text, len);
	free(path);
	if (status > 0 || (!status && !*len)) {
		say_why(s->err, why, size);
		return -EIO;
	}
	if (status < 0)
		snprintf(why, size, "gnuplot: %s", explain_errno(-status));
	return status;
}

int gnuplot_draw(const struct picture *p, const char *extension, char **text, size_t *len,
		 char *why, size_t size)
{
	struct streams streams;
	int err = open_streams(&streams);

	*text = NULL;
	*len = 0;
	if (err)
		snprintf(why, size, "%s", explain_errno(-err));
	else
		err = draw(&streams, p, extension, text, len, why, size);
	close_fd(&streams.in);
	close_fd(&streams.err);
	close_fd(&streams.picture);
	close_fd(&streams.out);
	return err;
}
