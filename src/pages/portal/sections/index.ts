import { addons } from './addons.tsx';
import { cancel } from './cancel.tsx';
import { cards } from './cards.tsx';
import { credits } from './credits.tsx';
import { details } from './details.tsx';
import { invoices } from './invoices.tsx';
import type { Frame, Section } from './kind.ts';
import { type SectionName, sectionNames } from './names.ts';
import { overview } from './overview.tsx';
import { plan } from './plan.tsx';
import { seats } from './seats.tsx';
import { usage } from './usage.tsx';

export const sections: Readonly<Record<SectionName, Section>> = {
  overview,
  usage,
  plan,
  seats,
  addons,
  credits,
  cards,
  invoices,
  details,
  cancel,
};

/** Returns the sections that are available to the customer. */
export function offeredSections({ subscription, settings }: Frame): SectionName[] {
  const has: Readonly<Record<SectionName, boolean>> = {
    overview: true,
    usage: subscription !== null && subscription.features.length > 0,
    plan: subscription !== null && settings.changePlan,
    seats: settings.seats && subscription?.features.some(({ type }) => type === 'seats') === true,
    addons:
      subscription !== null &&
      settings.purchase &&
      (subscription.canPurchase || subscription.addons.length > 0),
    credits:
      subscription !== null &&
      (subscription.credits !== null || subscription.balance !== null || subscription.commitments.length > 0),
    cards: subscription !== null,
    invoices: true,
    details: true,
    // The section isn't in the navigation, because the first section links to it.
    cancel: false,
  };
  return sectionNames.filter((name) => has[name]);
}
