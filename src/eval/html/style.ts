/** @file The look of a report: system fonts, light and dark, wide tables scroll by themselves. */

export const STYLE = `
:root { color-scheme: light dark; --bar: #3b78c3; --soft: #8884; --bad: #d6453d33; }
@media (prefers-color-scheme: dark) { :root { --bar: #6aa5ec; --bad: #d6453d55; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 1180px; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
pre { overflow: auto; margin: 0; }
mark { background: var(--bad); color: inherit; }
h2 { margin-top: 2.5rem; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: currentColor; }
.small, small, .id { font-size: 11px; opacity: 0.75; }
.bar { fill: var(--bar); opacity: 0.75; }
.dot { fill: var(--bar); }
.curve { fill: none; stroke: var(--bar); stroke-width: 1.5; }
.grid { stroke: var(--soft); }
.interval { stroke: currentColor; stroke-width: 1.2; }
.baseline { stroke: currentColor; stroke-width: 1.6; stroke-dasharray: 3 2; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
figure { margin: 0; }
.wide, .example { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; padding: 2px 10px 2px 0; border-bottom: 1px solid var(--soft); vertical-align: top; }
td code { overflow-wrap: anywhere; }
.differs { background: var(--bad); }
.example { display: grid; align-items: start; grid-template-columns: minmax(260px, 1fr) minmax(320px, 1.4fr); gap: 1rem; padding: 0.5rem 0 1rem 1rem; }
@media (max-width: 700px) { .example { grid-template-columns: 1fr; } }
.no { opacity: 0.5; }
summary { cursor: pointer; }
`;
