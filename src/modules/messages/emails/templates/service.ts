import type { Sender } from './layout.ts';

/** Quittance as the sender of emails to organizations. */
export const service: Sender = {
  name: 'Quittance',
  accentColor: null,
  logoUrl: null,
  logoWidth: null,
  logoHeight: null,
  replyTo: null,
  language: 'en',
};
