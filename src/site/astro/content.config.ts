import { env } from 'node:process';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro/content/config';
import { glob } from 'astro/loaders';

// Astro reads this file by its name. `QUITTANCE_SITE_PAGES` is the folder with the pages to build.

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: env['QUITTANCE_SITE_PAGES'] ?? '',
      pattern: '**/*.md',
      generateId: ({ entry }) => entry.replace(/\.md$/, ''),
    }),
    schema: docsSchema(),
  }),
};
