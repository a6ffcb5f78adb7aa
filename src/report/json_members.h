/* SPDX-License-Identifier: GPL-2.0 */
/* Members of the objects of a capture, by key and type. Errors are set as in json_reader.h. */
#pragma once

#include "model/histogram.h"
#include "model/language.h"
#include "report/json_reader.h"

uint64_t json_member_number(const struct json_node *n, const char *key);
/* Reads a number that older captures lack: it is 0 there. */
uint64_t json_member_if_there(const struct json_node *n, const char *key);
/* Reads a number that is null if, and only if, it is not known. */
uint64_t json_member_known(const struct json_node *n, const char *key, bool known);
/* Reads a number from 1 up; 0 where it is null. */
uint64_t json_member_if_known(const struct json_node *n, const char *key);
/* Reads a number from 0 to INT_MAX. */
int json_member_int(const struct json_node *n, const char *key);
bool json_member_bool(const struct json_node *n, const char *key);
/* Reads a text, to be freed; NULL where it is null. */
char *json_member_text(const struct json_node *n, const char *key);
/* Copies a text into an array of size bytes. It is an error if it does not fit. */
void json_member_text_into(const struct json_node *n, const char *key, char *buf, size_t size);
/* Reads a list of texts that ends with a NULL, all to be freed; NULL where it is null. */
char **json_member_words(const struct json_node *n, const char *key);
/* Reads how a command ended, as a wait status; -1 where it is null. */
int json_exit(const struct json_node *n);
/* Reads the member "language": unknown where it is null or not there. */
enum language json_member_language(const struct json_node *n);
/* Reads the member "abi". */
enum iotrace_abi json_member_abi(const struct json_node *n);
/*
 * Reads a histogram that is null if, and only if, it is not known. Returns the sum of its counts.
 */
uint64_t json_member_histogram(const struct json_node *n, const char *key, bool known,
			       const struct histogram_scale *scale, const char *const edges[2],
			       uint64_t *counts);
/* Sets an error unless this is the version of the format that is read; root knows its writer. */
void json_check_version(const struct json_node *root, const struct json_node *version,
			uint64_t wanted);
