/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes and reads the part of a capture that predictions rest on. Older captures lack it; then it
 * is all zeroes.
 */
#pragma once

#include "model/calibration.h"
#include "model/programs.h"
#include "report/json_reader.h"
#include "report/json_writer.h"

/* The member "calibration"; null if nothing was measured. */
void json_put_calibration(struct json_object *o, const struct calibration *c);
void json_read_calibration(struct calibration *c, const struct json_node *root);

/* The member "busy"; null if that is not known. */
void json_put_busy(struct json_object *o, const struct busy *busy);
void json_read_busy(struct busy *busy, const struct json_node *n);
