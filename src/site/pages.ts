import type { GraphQLSchema } from 'graphql';
import { openApiOf } from '../rest/openapi.ts';
import { errorPages } from './error-pages.ts';
import { eventPages } from './event-pages.ts';
import { operationPages } from './operation-pages.ts';
import { type SitePage, sections } from './page.ts';
import { objectPages } from './rest-objects.ts';
import { typePages } from './type-pages.ts';
import { writtenPages } from './written-pages.ts';

/** Origin of the API in the examples: the address after `npm start`. The pages are the same for every service, so that they can be built in advance. */
const exampleOrigin = 'http://127.0.0.1:4000';

/** Returns all pages of the documentation site by section: written pages from `docs`, and pages generated from the schema. */
export function sitePages(schema: GraphQLSchema): readonly SitePage[] {
  const document = openApiOf(schema, exampleOrigin);
  const all = [
    ...writtenPages(),
    ...operationPages(schema, document),
    ...objectPages(document),
    ...typePages(schema),
    ...eventPages(schema),
    ...errorPages(document),
  ];
  return all.toSorted((a, b) => sections.indexOf(a.section) - sections.indexOf(b.section));
}
