/** What searches and folds. The page is whole without it. */
export const SCRIPT = `
(() => {
  'use strict';
  const byId = id => document.getElementById(id);
  const [search, found, nothing] = ['search', 'found', 'nothing'].map(byId);
  const groups = [...document.querySelectorAll('.namespace')].map(element => ({
    element,
    tenants: [...element.querySelectorAll('.tenant')].map(tenant => ({
      element: tenant,
      text: (tenant.textContent + ' ' + element.querySelector('summary').textContent).toLowerCase(),
    })),
  }));
  const all = groups.reduce((sum, { tenants }) => sum + tenants.length, 0);
  // What was open before the first letter, to come back to.
  let before;

  function show() {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const searching = words.length > 0;
    if (searching && !before) before = groups.map(({ element }) => element.open);
    let hits = 0;
    groups.forEach(({ element, tenants }, i) => {
      const here = tenants.filter(tenant => !(tenant.element.hidden = !words.every(word => tenant.text.includes(word)))).length;
      hits += here;
      element.hidden = here === 0;
      if (searching) element.open = here > 0;
      else if (before) element.open = before[i];
    });
    if (!searching) before = undefined;
    nothing.hidden = hits > 0;
    found.value = searching ? hits.toLocaleString('en') + ' of ' + all.toLocaleString('en') : '';
  }

  function fold(open) {
    groups.forEach(({ element, tenants }) => {
      element.open = open;
      if (!open) tenants.forEach(tenant => { tenant.element.open = false; });
    });
  }

  // Paper cannot unfold.
  let onScreen;
  addEventListener('beforeprint', () => {
    onScreen = [...document.querySelectorAll('.namespace, .further')].map(element => [element, element.open]);
    onScreen.forEach(([element]) => { element.open = true; });
  });
  addEventListener('afterprint', () => {
    (onScreen || []).forEach(([element, open]) => { element.open = open; });
  });

  // A box of the picture leads to a namespace, which opens.
  function follow() {
    const target = location.hash.length > 1 && byId(location.hash.slice(1));
    if (target && target.tagName === 'DETAILS') target.open = true;
  }
  addEventListener('hashchange', follow);
  search.addEventListener('input', show);
  byId('unfold').addEventListener('click', () => fold(true));
  byId('fold').addEventListener('click', () => fold(false));
  document.querySelector('.controls').hidden = false;
  follow();
})();
`;
