-- SPDX-License-Identifier: GPL-2.0
-- Lets five bodies move, and shows the energy now and then, flushed so that somebody can watch.
local bodies = {
    { 0, 0, 0, 0, 0, 0, 39.47 }, { 4.84, -1.16, -0.10, 0.606, 2.81, -0.02, 0.037 },
    { 8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011 },
    { 12.89, -15.11, -0.22, 1.08, 0.868, -0.01, 0.0017 },
    { 15.37, -25.9, 0.179, 0.979, 0.594, -0.034, 0.002 },
}

local function advance(dt)
    for i = 1, #bodies do
        local a = bodies[i]
        for j = i + 1, #bodies do
            local b = bodies[j]
            local x, y, z = a[1] - b[1], a[2] - b[2], a[3] - b[3]
            local d = x * x + y * y + z * z
            local mag = dt / (d * math.sqrt(d))
            a[4], a[5], a[6] = a[4] - x * b[7] * mag, a[5] - y * b[7] * mag, a[6] - z * b[7] * mag
            b[4], b[5], b[6] = b[4] + x * a[7] * mag, b[5] + y * a[7] * mag, b[6] + z * a[7] * mag
        end
    end
    for _, a in ipairs(bodies) do
        a[1], a[2], a[3] = a[1] + dt * a[4], a[2] + dt * a[5], a[3] + dt * a[6]
    end
end

local out = assert(io.open("energies", "w"))
for step = 1, 150000 do
    advance(0.01)
    if step % 100 == 0 then
        local e = 0
        for _, a in ipairs(bodies) do
            e = e + 0.5 * a[7] * (a[4] * a[4] + a[5] * a[5] + a[6] * a[6])
        end
        out:write(step, " ", e, "\n")
        out:flush()
    end
end
out:close()
