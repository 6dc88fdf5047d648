import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import { keepLanguage } from './language';
import Versions from './Versions.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, {
    'nav-bar-content-after': () => h(Versions),
    'nav-screen-content-after': () => h(Versions),
  }),
  enhanceApp: () => keepLanguage(),
};
