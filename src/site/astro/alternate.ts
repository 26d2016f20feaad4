import { defineRouteMiddleware } from '@astrojs/starlight/route-data';

/** Adds a link to the Markdown text of a page to its head. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { head, id } = locals.starlightRoute;
  head.push({
    tag: 'link',
    attrs: { rel: 'alternate', type: 'text/markdown', href: `/docs/${id === '' ? 'index' : id}.md` },
  });
});
