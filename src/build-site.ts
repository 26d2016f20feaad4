import { schema } from './schema.ts';
import { sitePages } from './site/pages.ts';
import { buildDocs } from './web/build-docs.ts';
import { buildStamp } from './web/build-stamp.ts';

// Builds the HTML of the documentation site: `npm run build`, or the first request to `/docs`. The argument is the stamp of the build.

const [stamp = await buildStamp('docs')] = process.argv.slice(2);
await buildDocs(() => sitePages(schema), stamp);
