import { defineConfig } from 'vitepress';
import { anchorOf } from '../../scripts/website/anchor';
import { pathOf, SIDEBAR } from '../../scripts/website/sidebar';

const REPOSITORY = 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane';
const { SITE_BASE = '/', SITE_VERSION = 'next' } = process.env;

// Pages are written by scripts/website/build.ts.
export default defineConfig({
  title: 'cdk8s-hosted-control-plane',
  description: 'Hosted Kubernetes control planes behind one shared address',
  lang: 'en',
  base: SITE_BASE,
  srcDir: 'pages',
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // README.md and docs/ have the anchors of GitHub.
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    languageAlias: { text: 'txt' },
    // Pages have no expressions of Vue; what looks like one is a template of something else.
    config: md => {
      for (const rule of ['text', 'code_inline'] as const) {
        const render = md.renderer.rules[rule]!;
        md.renderer.rules[rule] = (...args) => render(...args).replace(/\{\{/g, '&#123;&#123;');
      }
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    version: SITE_VERSION,
    nav: [
      { text: 'Guide', link: '/choosing', activeMatch: '^/(?!api/|examples/|$)' },
      { text: 'Examples', link: '/examples/', activeMatch: '^/examples/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
    ],
    sidebar: SIDEBAR.map(({ title, pages }) => ({
      text: title,
      collapsed: false,
      items: pages.map(({ file, title: text }) => ({ text, link: `/${pathOf(file)}` })),
    })),
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    search: {
      provider: 'local',
      options: {
        // Of a type the name and what it is: words of the whole API would hide the guide.
        _render: (source, env, md) => md.render(
          env.relativePath.startsWith('api/') && env.relativePath !== 'api/index.md' ? source.split(/^## /m)[0] : source.replace(/^ *```(python|go|java) \[[\s\S]*?^ *```$/gm, ''), env),
      },
    },
    footer: { message: 'Apache-2.0' },
  },
});
