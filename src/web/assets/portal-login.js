// The page at which a customer asks for a link to the portal.

import { element, input, markField, Refusal, run, say, token as slug, warn } from './page.js';
import { loginQuery, requestMutation } from './portal-login-documents.js';

const texts = {
  en: {
    title: 'Your subscription',
    text: 'We email you a link to it.',
    email: 'E-mail address',
    send: 'Send link',
    sent: 'If we know this address, an email with a link is on its way. The link works for an hour.',
    unknown: 'This page does not exist.',
    failed: 'That did not work. Try again.',
    wrong: 'This is no e-mail address.',
  },
  es: {
    title: 'Su suscripción',
    text: 'Le enviamos un enlace por correo.',
    email: 'Correo electrónico',
    send: 'Enviar enlace',
    sent: 'Si conocemos esta dirección, le llegará un correo con un enlace. El enlace funciona durante una hora.',
    unknown: 'Esta página no existe.',
    failed: 'No ha funcionado. Inténtelo de nuevo.',
    wrong: 'Esto no es una dirección de correo.',
  },
};

const query = new URLSearchParams(location.search);
let words = texts.en;

/** Shows the form in the language and with the name of the seller. */
async function start() {
  const { portalLogin } = await run(loginQuery, { slug, link: query.get('locale') });
  if (portalLogin === null) return say(words.unknown);
  words = portalLogin.locale === 'es' ? texts.es : texts.en;
  document.documentElement.lang = portalLogin.locale;
  document.title = words.title;
  element('title').textContent = `${portalLogin.branding.name}: ${words.title}`;
  element('text').textContent = words.text;
  element('send').textContent = words.send;
  const label = document.querySelector('label[for="email"]');
  if (label !== null) label.textContent = words.email;
  say('');
  element('login').hidden = false;
}

element('login').addEventListener('submit', async (event) => {
  event.preventDefault();
  warn(null);
  markField('email', '');
  const email = input('email').value.trim();
  const livemode = !query.has('sandbox');
  try {
    await run(requestMutation, { input: { slug, email, livemode } });
    element('login').hidden = true;
    say(words.sent);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'validation_error') markField('email', words.wrong);
    else warn(words.failed);
  }
});

start().catch(() => warn(words.failed));
