/** How the page looks, on screens and on paper. */
export const STYLE = `
:root { --ink: #1b2733; --soft: #5b6b7b; --line: #dbe2e9; --back: #f5f7fa; --main: #1f6feb; --good: #1a7f4b; --bad: #c0392b; --dear: #d9822b; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main, header, footer { max-width: 1120px; margin: 0 auto; padding: 0 28px; }
header { padding-top: 36px; }
h1 { margin: 0; font-size: 30px; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 0 0 14px; font-size: 19px; }
h3 { margin: 0 0 8px; font-size: 13px; font-weight: 600; color: var(--soft); }
header p, footer { color: var(--soft); }
header p { margin: 6px 0 0; }
section, .attention { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 22px 24px; margin: 18px 0; }
section section { border: 0; padding: 0; margin: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px; margin: 22px 0 18px; }
.tile { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px; display: flex; flex-direction: column; }
.tile strong { font-size: 24px; line-height: 1.25; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tile small { color: var(--soft); }
.attention { list-style: none; border-left: 4px solid var(--bad); padding: 12px 20px; }
.panels, .costs { display: grid; grid-template-columns: repeat(auto-fit, minmax(270px, 1fr)); gap: 22px 34px; }
.row { display: grid; grid-template-columns: 1fr auto; gap: 0 10px; margin-bottom: 7px; }
.row .bar { grid-column: 1 / 3; }
.value { overflow-wrap: anywhere; }
.count { font-variant-numeric: tabular-nums; color: var(--soft); }
.bar { display: block; width: 100%; height: 6px; border-radius: 3px; }
.bar .whole { fill: #edf1f5; }
.bar .part { fill: var(--main); }
.bar .dear { fill: var(--dear); }
.costs { margin-bottom: 18px; }
.topology { display: block; width: 100%; height: auto; }
.topology text { font-size: 11.5px; fill: var(--soft); }
.topology .title { font-size: 13px; font-weight: 600; fill: var(--ink); }
.topology rect { fill: #fff; stroke: #b8c4d0; }
.topology .edge rect { fill: var(--main); stroke: none; }
.topology .edge text { fill: #fff; text-anchor: middle; }
.topology .broken rect { stroke: var(--bad); stroke-width: 2; }
.topology a:hover rect { stroke: var(--main); stroke-width: 2; }
.topology path { fill: none; stroke: #9fb3c8; stroke-width: 1.6; }
table { border-collapse: collapse; width: 100%; margin: 6px 0 12px; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 13px; }
th, td { border-bottom: 1px solid var(--line); padding: 6px 12px 6px 0; vertical-align: top; overflow-wrap: anywhere; }
code { font: 13px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
summary { cursor: pointer; }
summary span { color: var(--soft); }
.namespace, .further { border-top: 1px solid var(--line); padding: 9px 0; }
.tenant { margin-left: 18px; border-top: 1px solid #eef2f5; content-visibility: auto; contain-intrinsic-size: auto 35px; }
.tenant > summary { display: grid; grid-template-columns: minmax(120px, 1.1fr) minmax(200px, 2fr) 90px 80px 100px 100px; gap: 0 12px; padding: 6px 0; list-style: none; }
.tenant > summary .name { font-weight: 600; color: var(--ink); }
.tenant > summary span { overflow-wrap: anywhere; }
.tenant > *:not(summary) { margin-left: 14px; width: calc(100% - 14px); }
dl { display: grid; grid-template-columns: minmax(150px, 220px) 1fr; gap: 4px 16px; font-size: 14px; margin-top: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.good, summary span.good { color: var(--good); }
.bad, summary span.bad { color: var(--bad); font-weight: 600; }
.controls:not([hidden]) { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin-bottom: 12px; }
.controls input { flex: 1 1 260px; padding: 8px 12px; border: 1px solid #b8c4d0; border-radius: 8px; font: inherit; }
.controls output { min-width: 6em; color: var(--soft); font-variant-numeric: tabular-nums; }
.controls button { padding: 8px 12px; border: 1px solid #b8c4d0; border-radius: 8px; background: #fff; font: inherit; cursor: pointer; }
input:focus-visible, button:focus-visible, summary:focus-visible { outline: 3px solid #9cc3ff; outline-offset: 1px; }
footer { font-size: 13px; padding-bottom: 40px; }
@media (max-width: 760px) {
  main, header, footer { padding-left: 14px; padding-right: 14px; }
  .tenant > summary { grid-template-columns: 1fr 1fr; }
  section { overflow-x: auto; }
}
@media print {
  @page { margin: 14mm; }
  body { background: #fff; font-size: 11px; }
  .controls, .controls:not([hidden]) { display: none; }
  section, .tile, .attention { border-radius: 0; break-inside: auto; }
  .tile, .panel, .comparison, .topology, tr, .tenant { break-inside: avoid; }
  .tenant { content-visibility: visible; }
}
`;
