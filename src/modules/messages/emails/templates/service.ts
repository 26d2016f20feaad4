import type { Sender } from './layout.ts';

/** Sender of emails to organizations: Quittance, without branding. */
export const service: Sender = {
  name: 'Quittance',
  accentColor: null,
  logoUrl: null,
  logoWidth: null,
  logoHeight: null,
  replyTo: null,
  language: 'en',
};
