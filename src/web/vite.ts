import path from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import type { BuildEnvironmentOptions, InlineConfig } from 'vite';
import { root } from '../platform/root.ts';
import { dashboardLanguages } from './dashboard-languages.ts';
import { documentsPlugin } from './documents-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { type PageName, pageNames } from './page-renderer.ts';
import { pageScripts } from './page-scripts.ts';
import { possibleTypesIn } from './possible-types.ts';
import { preloadPlugin } from './preload-plugin.ts';
import { wordsPlugin } from './words-plugin.ts';

const shared = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  base: './',
  logLevel: 'warn',
  css: { modules: { generateScopedName: '[local]_[hash:base64:4]' } },
} satisfies InlineConfig;

const output = {
  target: 'es2024',
  manifest: 'manifest.json',
  assetsDir: '',
  modulePreload: { polyfill: false },
  cssMinify: 'lightningcss',
} satisfies BuildEnvironmentOptions;

/**
 * Vite configuration for the dashboard. A build contains one language, so that messages are part of the scripts that use them. Development and
 * component tests use all languages. URLs are relative, so that the service can run below a path prefix.
 */
export function dashboardConfig(languages = dashboardLanguages, documents = documentsPlugin()): InlineConfig {
  const scripts = pageScripts(
    path.join(root, 'src/dashboard/main.tsx'),
    path.join(root, 'src/dashboard/page-modules.ts'),
    /\/react-aria-components\/dist\/exports\/index\.mjs$/,
  );
  return {
    ...shared,
    define: { possibleTypes: possibleTypesIn(path.join(root, 'schema.graphql')) },
    plugins: [
      documents,
      optimizeLocales.vite({ locales: languages }),
      wordsPlugin(root, languages),
      react(),
      scripts.plugin,
    ],
    build: {
      ...output,
      manifest: `${languages[0]}-manifest.json`,
      // The frame's chunk exceeds Vite's default limit. A test limits the sizes instead.
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        input: { dashboard: path.join(root, 'src/dashboard/main.tsx') },
        // The first page lists every chunk name. Short names make the page one kilobyte smaller.
        output: {
          chunkFileNames: '[hash].js',
          assetFileNames: '[hash][extname]',
          codeSplitting: { groups: scripts.groups },
        },
      },
    },
  };
}

/** Hosted pages use Preact because it is smaller than React, which the dashboard uses. */
const preact = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/**
 * Shared chunks for hosted pages: code that every page uses, and code for pages that show amounts or collect a card. Many small chunks would
 * compress worse.
 */
const shares = [
  {
    name: 'base',
    test: /node_modules\/(?:preact|@messageformat\/runtime)\/|src\/pages\/(?:start|data\/(?:current-page|initial-data|lazy-code|service|action-state|field-values|pressed|use-host|use-keep-mounted|use-mounted|use-page-actions)|parts\/(?:button|field|frame|empty-page|section))\b/,
  },
  {
    name: 'payment',
    test: /src\/ui\/format\/|src\/domain\/tax\/countries\b|src\/pages\/(?:format|data\/(?:live|socket|use-changes|use-interval|use-return)|parts\/(?:address-rule\.|bank\.|billing|card-entry|lazy-view|order|payer-instructions|payment-choice|return-link|sandbox\.|use-card\.))/,
  },
];

/** Generates class names without file names to reduce the size of each page. */
const shortClasses = { css: { modules: { generateScopedName: '[hash:base64:5]' } } } as const;

/** Code that only the sandbox loads, with its messages in all languages. */
const sandbox = {
  name: 'sandbox',
  test: /src\/pages\/(?:parts\/(?:test-cards|country-view)\b|words\/[\w-]+\/sandbox\.json)/,
  includeDependenciesRecursively: false,
};

/**
 * Pages with separate bundles, by manifest name. Sharing code with these pages would enlarge the other pages, which payers usually open only once, or
 * require more scripts.
 */
const separate: Readonly<Record<string, readonly PageName[]>> = {
  'portal-manifest': ['portal'],
  'pricing-manifest': ['pricing'],
  'card-manifest': ['recover', 'method'],
};

/** Pages in each bundle, and the modules that they share. */
const bundles = [
  {
    manifest: 'manifest',
    names: pageNames.filter((name) => !Object.values(separate).some((names) => names.includes(name))),
    groups: [sandbox, ...shares],
  },
  ...Object.entries(separate).map(([manifest, names]) => ({
    manifest,
    names,
    groups: names.length > 1 ? [sandbox, { name: 'base', minShareCount: 2 }] : [sandbox],
  })),
];

/** Vite configurations for hosted pages: one for server-side rendering, and one for each browser bundle. */
export const pagesConfigs = (documents = documentsPlugin()): InlineConfig[] => [
  {
    ...shared,
    ...shortClasses,
    plugins: [documents, messagesPlugin()],
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
  ...bundles.map(({ manifest, names, groups }) => ({
    ...shared,
    ...shortClasses,
    plugins: [documents, messagesPlugin(), preloadPlugin()],
    oxc: preact,
    build: {
      ...output,
      manifest: `${manifest}.json`,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, path.join(root, `src/pages/${name}/main.tsx`)])),
        output: { codeSplitting: { groups } },
      },
    },
  })),
];
