/** The anchor that GitHub makes of a heading, which the website has as well, so that one link leads there in both. */
export function anchorOf(heading: string): string {
  return heading.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replace(/ /g, '-');
}
