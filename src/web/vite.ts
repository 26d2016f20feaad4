import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { BuildEnvironmentOptions, InlineConfig, Plugin } from 'vite';
import { root } from '../platform/root.ts';
import { documentsPlugin } from './documents-plugin.ts';
import { iconsPlugin } from './icons-plugin.ts';
import { identityPlugin } from './identity-plugin.ts';
import { type PageName, pageNames } from './page-renderer.ts';
import { preloadPlugin } from './preload-plugin.ts';
import { wordsPlugin } from './words-plugin.ts';

/** The languages of pages, as react-aria's packages name them. */
const locales = ['en-US', 'es-ES'];

/** Leaves out the sentences of react-aria's parts in languages that pages do not have. */
const localesPlugin = (): Plugin => ({
  name: 'locales',
  load(id) {
    const [, locale] = /@react-(?:aria|stately)\/.*\/([a-z]{2}-[A-Z]{2})\.m?js$/.exec(id) ?? [];
    return locale === undefined || locales.includes(locale) ? null : 'export default {};';
  },
});

const shared = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  base: './',
  logLevel: 'warn',
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
} satisfies InlineConfig;

const output = {
  target: 'es2024',
  manifest: 'manifest.json',
  assetsDir: '',
  modulePreload: { polyfill: false },
  cssMinify: 'lightningcss',
} satisfies BuildEnvironmentOptions;

/** What every page stands on is one file: many small ones compress worse, and a browser asks for few at a time. */
const frame = { name: 'frame', tags: ['$initial' as const] };

/** How the dashboard is built and served while it is developed. Addresses in it are relative to where the service lies. */
export const dashboardConfig = (): InlineConfig => ({
  ...shared,
  plugins: [
    documentsPlugin(),
    identityPlugin(root),
    iconsPlugin(),
    localesPlugin(),
    wordsPlugin(root),
    react(),
  ],
  build: {
    ...output,
    // The frame alone is larger; a test holds what it and each page may weigh.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: { dashboard: path.join(root, 'src/dashboard/main.tsx') },
      // Each page lists the files it needs: short names are a kilobyte less for the first one.
      output: {
        chunkFileNames: '[hash].js',
        assetFileNames: '[hash][extname]',
        codeSplitting: { groups: [frame] },
      },
    },
  },
});

/** Preact takes the place React has in the dashboard. */
const preact = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/** What pages share, in two files rather than many small ones, which compress worse: what each page has, and what those have that show amounts or take a card. */
const shares = [
  {
    name: 'base',
    test: /node_modules\/preact\/|src\/pages\/(?:start|data\/(?:current-page|first-answer|late|service|step-state|typed(?!-)|use-host|use-mounted|use-steps)|parts\/(?:button|field|frame|nothing|section))\b/,
  },
  {
    name: 'payment',
    test: /src\/ui\/format\/|src\/domain\/countries\b|src\/pages\/(?:format|data\/(?:live|socket|use-changes|use-repeat|use-return)|parts\/(?:address-rule\.|bank\.|billing|card-entry|order|sandbox\.|use-card\.))/,
  },
];

/** Names of classes without those of their files, which each page would load. */
const shortClasses = { css: { modules: { generateScopedName: '[hash:base64:5]' } } } as const;

/** Pages that are built apart: what they need of the shared files would make those larger for pages a payer opens once. */
const alone = ['portal', 'pricing'] as const satisfies readonly PageName[];

/** What is built together for the browser. */
const bundles: Readonly<Record<string, readonly PageName[]>> = {
  manifest: pageNames.filter((name) => !alone.some((one) => one === name)),
  ...Object.fromEntries(alone.map((name) => [`${name}-manifest`, [name]])),
};

/** How customers' pages are built: for the service, which writes the first document, and for the browser. */
export const pagesConfigs = (documents = documentsPlugin()): InlineConfig[] => [
  {
    ...shared,
    ...shortClasses,
    plugins: [documents],
    oxc: preact,
    ssr: { noExternal: true },
    build: {
      target: 'esnext',
      ssr: true,
      minify: false,
      rolldownOptions: {
        input: { server: path.join(root, 'src/pages/server.tsx') },
        output: { entryFileNames: '[name].mjs', codeSplitting: false },
      },
    },
  },
  ...Object.entries(bundles).map(([manifest, names]) => ({
    ...shared,
    ...shortClasses,
    plugins: [documents, preloadPlugin()],
    oxc: preact,
    build: {
      ...output,
      manifest: `${manifest}.json`,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, path.join(root, `src/pages/${name}/main.tsx`)])),
        output: { codeSplitting: { groups: shares } },
      },
    },
  })),
];
