/* SPDX-License-Identifier: GPL-2.0 */
/* The JSON Schema of captures, src/report/schema.json, which is in the program. */
#ifndef IOTRACE_SCHEMA_H
#define IOTRACE_SCHEMA_H

#ifdef __cplusplus
extern "C" {
#endif

extern const char capture_schema[];

#ifdef __cplusplus
}
#endif
#endif
