/* SPDX-License-Identifier: GPL-2.0 */
/* The JSON Schema of captures, src/report/schema.json, which is in the program. */
#ifndef IOTRACE_SCHEMA_H
#define IOTRACE_SCHEMA_H

extern const char capture_schema[];

#endif
