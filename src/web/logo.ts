import type { App } from '../context.ts';
import { type Reply, textReply } from '../http/reply.ts';
import { loadLogo } from '../modules/organizations/store.ts';

/** Answers the picture of an organization. Another picture has another address, so it can be kept forever. */
export async function logoPage(app: App, id: string): Promise<Reply> {
  const logo = await loadLogo(app, id);
  if (logo === null) return textReply(404, 'There is no such picture.\n');
  return {
    status: 200,
    headers: {
      'Content-Type': logo.contentType,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
    body: logo.image,
  };
}
