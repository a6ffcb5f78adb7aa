// SPDX-License-Identifier: GPL-2.0
// libFuzzer harness of the capture reader. For any bytes: no memory error occurs, a refusal has a
// reason, and what is accepted can be printed in every format and read back unchanged.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "report/json_capture.h"
#include "report/render.h"
}

static std::string print(const renderer &r, const profile &p)
{
	render_options o = {};
	struct result result;
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	o.sort = COLUMN_TIME_PERCENT;
	if (r.one_section)
		o.sections = SECTION_LATENCY;
	if (result_make(&result, &p, 0) || render_result(out, &r, &result, &o))
		abort();
	result_free(&result);
	fclose(out);
	std::string printed(text, size);
	free(text);
	return printed;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *text = reinterpret_cast<const char *>(bytes);
	struct capture c, again;
	char err[256] = "";
	int result = capture_parse(&c, text, size, err, sizeof(err));

	if (result && !*err)
		abort();
	if (!result) {
		std::string json = print(render_json, c.profile);

		for (size_t i = 0; renderers[i]; i++)
			print(*renderers[i], c.profile);
		if (capture_parse(&again, json.data(), json.size(), err, sizeof(err)))
			abort();
		if (print(render_json, again.profile) != json)
			abort();
		capture_free(&again);
	}
	capture_free(&c);
	return 0;
}
