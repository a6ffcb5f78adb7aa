/* SPDX-License-Identifier: GPL-2.0 */
/* The JSON Schema of captures: the text of src/report/schema.json. */
#ifndef IOTRACE_SCHEMA_H
#define IOTRACE_SCHEMA_H

extern const char capture_schema[];
#endif
