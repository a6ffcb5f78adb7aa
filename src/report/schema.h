/* SPDX-License-Identifier: GPL-2.0 */
/* The JSON Schema of captures: the text of src/report/schema.json. */
#pragma once

extern const char capture_schema[];
