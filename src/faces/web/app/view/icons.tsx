/** @file The toolbar's pictures, drawn here: lines of one weight on a grid of 16. The way back is the way on, mirrored. */
import type { ComponentChildren } from 'preact';

const SHAPES: Readonly<Record<string, ComponentChildren>> = {
  continue: (
    <>
      <path d="M5.5 3.2 12.7 8l-7.2 4.8z" fill="currentColor" />
      <path d="M2.6 3v10" />
    </>
  ),
  over: (
    <>
      <path d="M2.2 8.2A5.8 5.8 0 0 1 13 6.4" />
      <path d="M13.6 2.6v4h-4" />
      <circle cx="8" cy="12.4" r="1.7" fill="currentColor" stroke="none" />
    </>
  ),
  into: (
    <>
      <path d="M2.8 2.2h2.7A2.5 2.5 0 0 1 8 4.7v4" />
      <path d="M5 6.4 8 9.4l3-3" />
      <circle cx="8" cy="13" r="1.7" fill="currentColor" stroke="none" />
    </>
  ),
  out: (
    <>
      <path d="M8 9.6V6a2.5 2.5 0 0 1 2.5-2.5h2.7" />
      <path d="m10.6.9 2.7 2.6-2.7 2.6" />
      <circle cx="8" cy="13" r="1.7" fill="currentColor" stroke="none" />
    </>
  ),
  cursor: (
    <>
      <path d="M2 8h7.4" />
      <path d="m6.6 5 3 3-3 3" />
      <path d="M13 2.6v10.8" />
    </>
  ),
  stop: <rect x="3.6" y="3.6" width="8.8" height="8.8" rx="1.4" fill="currentColor" stroke="none" />,
  play: <path d="M4.6 3 12.8 8l-8.2 5z" fill="currentColor" />,
  edit: <path d="m10.6 2.6 2.8 2.8-7.8 7.8-3.4.6.6-3.4zM9 4.2 11.8 7" />,
  link: (
    <path d="M6.6 9.4a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 1 0-4-4l-.9.9M9.4 6.6a2.8 2.8 0 0 0-4 0L3.2 8.8a2.8 2.8 0 1 0 4 4l.9-.9" />
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.9" />
      <path d="M8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1" />
    </>
  ),
  moon: <path d="M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z" />,
  auto: (
    <>
      <circle cx="8" cy="8" r="5.4" />
      <path d="M8 2.6a5.4 5.4 0 0 1 0 10.8z" fill="currentColor" />
    </>
  ),
  help: (
    <>
      <path d="M5.8 6.2a2.2 2.2 0 1 1 3.3 2C8.300 8.700 8 9.100 8 9.900" />
      <circle cx="8" cy="12.300" r=".9" fill="currentColor" stroke="none" />
    </>
  ),
  close: <path d="m4 4 8 8M12 4l-8 8" />,
};

/** Decoration only: the button around it has the words. */
export function Icon({ name, mirrored }: { readonly name: string; readonly mirrored?: boolean }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      style={mirrored ? { transform: 'scaleX(-1)' } : undefined}
    >
      {SHAPES[name]}
    </svg>
  );
}
