// SPDX-License-Identifier: GPL-2.0
// libFuzzer harness of the reader of comparisons. For any bytes: no memory error occurs, a refusal
// has a reason, and what is accepted can be printed in every format and read back unchanged.
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" {
#include "report/json_comparison.h"
#include "report/render.h"
}

static std::string print(const renderer &r, const comparison &c)
{
	const render_options o = {};
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (render_comparison(out, &r, &c, &o))
		abort();
	fclose(out);
	std::string printed(text, size);
	free(text);
	return printed;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *text = reinterpret_cast<const char *>(bytes);
	compared_captures c = {}, again = {};
	char err[512] = "";
	int result = compared_captures_parse(&c, "x", text, size, err, sizeof(err));

	if (result && !*err)
		abort();
	if (!result && c.comparison.nr_sides) {
		if (comparison_make(&c.comparison))
			abort();
		std::string json = print(render_json, c.comparison);

		for (size_t i = 0; renderers[i]; i++)
			if (render_compares(renderers[i]))
				print(*renderers[i], c.comparison);
		if (compared_captures_parse(&again, "x", json.data(), json.size(), err,
					    sizeof(err)) ||
		    comparison_make(&again.comparison) ||
		    print(render_json, again.comparison) != json)
			abort();
		compared_captures_free(&again);
	}
	compared_captures_free(&c);
	return 0;
}
