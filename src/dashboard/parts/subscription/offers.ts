type Application = {
  readonly status: 'quoted' | 'applied' | 'expired' | 'failed';
  readonly phases: readonly { readonly endsAt: string | null }[];
};

/** True if all phases of an applied offer have ended. */
export const hasOfferEnded = ({ status, phases }: Application, now: Date): boolean =>
  status === 'applied' &&
  phases.length > 0 &&
  phases.every(({ endsAt }) => endsAt !== null && new Date(endsAt) <= now);

/** True if an offer still reduces charges, or is shown in an open checkout. */
export const isOfferRunning = (application: Application, now: Date): boolean =>
  application.status === 'quoted' || (application.status === 'applied' && !hasOfferEnded(application, now));
