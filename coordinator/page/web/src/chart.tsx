import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

// The time of day, alike in both languages.
const clock = (date: Date) => date.toTimeString().slice(0, 8);

// One line over time. `times` in Unix seconds.
export function Chart({ times, values, label }: { times: number[]; values: number[]; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const box = holder.current!;
    const style = getComputedStyle(box);
    const ink = style.getPropertyValue("--faint");
    const axis = { stroke: ink, grid: { stroke: style.getPropertyValue("--rule"), width: 1 }, ticks: { show: false } };
    plot.current = new uPlot(
      {
        width: box.clientWidth,
        height: 140,
        cursor: { show: false },
        fmtDate: () => clock,
        legend: { show: false },
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.15)] } },
        axes: [{ ...axis, space: 80, incrs: [1, 5, 15, 60, 300, 900, 3600] }, { ...axis, size: 44 }],
        series: [{}, { label, stroke: style.getPropertyValue("--accent"), width: 2, points: { show: false } }],
      },
      [times, values],
      box,
    );
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: box.clientWidth, height: 140 }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData([times, values]), [times, values]);
  return <div class="chart" ref={holder} role="img" aria-label={`${label}: ${values[values.length - 1] ?? 0}`} />;
}
