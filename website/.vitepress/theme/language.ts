const KEY = 'language';

/** Who chose a language in one group of tabs reads it in all, on every page. */
export function keepLanguage(): void {
  if (typeof document === 'undefined') return;
  document.addEventListener('change', ({ target, isTrusted }) => {
    const chosen = labelOf(target);
    if (chosen !== undefined && isTrusted) {
      localStorage.setItem(KEY, chosen);
      choose(chosen, target as HTMLInputElement);
    }
  });
  new MutationObserver(() => {
    const chosen = localStorage.getItem(KEY);
    if (chosen !== null) choose(chosen);
  }).observe(document, { childList: true, subtree: true });
}

function labelOf(target: EventTarget | null): string | undefined {
  return target instanceof HTMLInputElement && target.closest('.vp-code-group') ? target.nextElementSibling?.textContent ?? undefined : undefined;
}

function choose(language: string, but?: HTMLInputElement): void {
  const tabs = document.querySelectorAll<HTMLInputElement>('.vp-code-group .tabs input');
  const others = [...tabs].filter(tab => tab !== but && labelOf(tab) === language && !tab.checked);
  // What the reader looks at stays where it is, whatever grows above it.
  const top = but?.getBoundingClientRect().top;
  others.forEach(tab => tab.click());
  if (but && top !== undefined) window.scrollBy(0, but.getBoundingClientRect().top - top);
}
