import path from 'node:path';
import { schema } from './schema.ts';
import { buildSite } from './site/build.ts';
import { sitePages } from './site/pages.ts';
import { buildStamp, buildsFolder } from './web/build-stamp.ts';

// Builds the HTML of the documentation site: `npm run build`, or the first request to `/docs`. The argument is the stamp of the build.

const [stamp = await buildStamp('docs')] = process.argv.slice(2);
await buildSite(sitePages(schema), path.join(buildsFolder('docs'), stamp));
