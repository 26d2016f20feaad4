import { emailLanguage } from '../domain/messages/emails.ts';
import type { Language } from '../domain/text/language.ts';
import type { Reply } from '../http/reply.ts';
import { textReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { type Addressed, requesterOf } from '../modules/customers/portal-links/sign-link.ts';
import { type FreshLink, sendFreshLink } from '../modules/messages/emails/request-portal-link.ts';
import { loadOrganization } from '../modules/organization/organizations/store.ts';
import { enterPortal } from '../modules/pages/portal/enter.ts';
import type { App } from '../request/context.ts';
import { noticePage } from './notice-page.ts';

type Notice = { readonly title: string; readonly text: string };

/** Text of the page that emails a new portal link. */
const words: {
  readonly [language in Language]: {
    readonly [state in FreshLink | 'ask']: Notice;
  } & { readonly send: string };
} = {
  en: {
    ask: {
      title: 'Manage your subscription',
      text: 'For your security, we’ll email you a new link, valid for one hour.',
    },
    send: 'Email me a link',
    sent: {
      title: 'Check your inbox',
      text: 'We sent a link to your email address. The link is valid for one hour.',
    },
    limited: {
      title: 'Too many emails',
      text: 'Use the link in the latest email, or try again in an hour.',
    },
    off: { title: 'This link isn’t available', text: 'Contact the merchant for a new link.' },
  },
  es: {
    ask: {
      title: 'Gestiona tu suscripción',
      text: 'Por tu seguridad, te enviamos un enlace nuevo por correo. Funciona durante una hora.',
    },
    send: 'Enviarme un enlace',
    sent: {
      title: 'Revisa tu correo',
      text: 'Hemos enviado un enlace a tu dirección de correo. Funciona durante una hora.',
    },
    limited: {
      title: 'Demasiados correos',
      text: 'Usa el enlace del último correo o vuelve a intentarlo dentro de una hora.',
    },
    off: { title: 'Este enlace no está disponible', text: 'Pide un enlace nuevo al comercio.' },
  },
  pt_BR: {
    ask: {
      title: 'Gerencie sua assinatura',
      text: 'Por segurança, enviaremos um novo link por e-mail. Ele funciona por uma hora.',
    },
    send: 'Enviar link por e-mail',
    sent: {
      title: 'Verifique seu e-mail',
      text: 'Enviamos um link para seu e-mail. Ele funciona por uma hora.',
    },
    limited: {
      title: 'E-mails demais',
      text: 'Use o link do e-mail mais recente ou tente de novo daqui a uma hora.',
    },
    off: { title: 'Este link não está disponível', text: 'Peça um novo link à loja.' },
  },
};

const statuses: { readonly [state in FreshLink]: number } = { sent: 200, limited: 429, off: 410 };

/** Serves the page for a portal link in a receipt email. The page's button emails a new portal link to the customer. */
async function requestPage({ method }: HttpRequest, requester: Addressed): Promise<Reply> {
  const { language: own } = await loadOrganization(requester.ctx);
  const language = emailLanguage(requester.customer, own);
  const say = words[language];
  if (method !== 'POST') return noticePage(200, say.ask.title, say.ask.text, { language, button: say.send });
  const state = await sendFreshLink(requester);
  return noticePage(statuses[state], say[state].title, say[state].text, { language });
}

/** Returns the page for an expired or invalid link. */
const unusableLinkPage = (found: 'expired' | null): Reply =>
  found === 'expired'
    ? noticePage(410, 'This link has expired', 'Contact the merchant for a new link.')
    : noticePage(404, 'This link isn’t valid', 'Contact the merchant for a new link.');

/**
 * Serves portal links from emails. A requested link starts a new session and redirects to the portal (303). A link from a receipt shows a page that
 * emails a new link. Status 410 if the link has expired, and 404 if the link is invalid or the customer's address has changed.
 */
export async function portalEntryPage(app: App, request: HttpRequest, token: string): Promise<Reply> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return textReply(405, 'Only GET, HEAD and POST are answered here.\n', { Allow: 'GET, HEAD, POST' });
  // HEAD requests, which link scanners send, must not create a session.
  if (method === 'HEAD') return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: null };
  const requester = await requesterOf(app, token, 'portal entry');
  if (requester === 'expired') return unusableLinkPage(requester);
  if (requester !== null) return requestPage(request, requester);
  const url = method === 'GET' ? await enterPortal(app, token, 'portal entry') : null;
  if (url === null || url === 'expired') return unusableLinkPage(url);
  return {
    status: 303,
    headers: {
      Location: url,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
    body: null,
  };
}
