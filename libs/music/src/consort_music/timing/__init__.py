"""Change when notes sound: quantize, swing and humanize, and resolve the overlaps that this causes.

`swing`       the swing percentage, and straight ticks moved to swing
`grid`        rhythmic grids (`1/16`, `1/8t`, with swing) and the grid point nearest to a tick
`time_warp`   new starts and ends for many notes at once, quantized or swung
`humanize`    small random deviations of time and loudness, the same for the same seed
`overlaps`    shorten or remove notes that overlap on one key after they were moved
"""
