/** @file A strip of states that one scrubs with a pointer or the arrow keys: a slider with a picture under it. */
import { useEffect, useRef } from 'preact/hooks';

export interface Colours {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly predicted: string;
  readonly real: string;
  readonly good: string;
  readonly bad: string;
  readonly low: string;
}

export interface TrackProps {
  readonly name: string;
  readonly label: string;
  readonly count: number;
  readonly index: number | null;
  readonly valueText: string;
  readonly draw: (context: CanvasRenderingContext2D, width: number, height: number, colours: Colours) => void;
  /** `settled`: the pointer is up, or a key was pressed. */
  readonly onSeek: (index: number, settled: boolean) => void;
  /** What `draw` depends on. */
  readonly version: readonly unknown[];
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: of('ink'),
    faint: of('faint'),
    line: of('line-strong'),
    predicted: of('predicted'),
    real: of('real'),
    good: of('good'),
    bad: of('bad'),
    low: of('low'),
  };
}

/** x of the middle of a state. */
export const middle = (index: number, count: number, width: number): number =>
  ((index + 0.5) / count) * width;

export function Track({ name, label, count, index, valueText, draw, onSeek, version }: TrackProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const held = useRef(false);
  useEffect(() => {
    const element = canvas.current!;
    const paint = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0) return;
      const scale = devicePixelRatio || 1;
      element.width = Math.round(width * scale);
      element.height = Math.round(height * scale);
      const context = element.getContext('2d')!;
      context.scale(scale, scale);
      const colours = coloursOf(element);
      draw(context, width, height, colours);
      if (index !== null) drawPlace(context, middle(index, count, width), height, colours.ink);
    };
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', paint);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', paint);
    };
  }, [count, index, ...version]);
  return (
    <div class={`track ${name}`}>
      <canvas ref={canvas} />
      <input
        type="range"
        min={0}
        max={Math.max(0, count - 1)}
        value={index ?? 0}
        aria-label={label}
        aria-valuetext={valueText}
        onPointerDown={() => {
          held.current = true;
        }}
        onPointerUp={(event) => {
          held.current = false;
          onSeek(Number(event.currentTarget.value), true);
        }}
        onInput={(event) => onSeek(Number(event.currentTarget.value), !held.current)}
      />
    </div>
  );
}

function drawPlace(context: CanvasRenderingContext2D, x: number, height: number, ink: string): void {
  context.fillStyle = ink;
  context.fillRect(Math.round(x) - 1, 0, 2, height);
  context.beginPath();
  context.moveTo(x - 5, 0);
  context.lineTo(x + 5, 0);
  context.lineTo(x, 6);
  context.fill();
}
