import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { type FieldProblem, validationError } from '../../domain/errors.ts';
import { phaseProblems } from '../../domain/offer/phase.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type PhaseInput, phaseOf } from './phase-input.ts';
import { type OfferRow, requireLockedOffer } from './service.ts';

type Json = OfferRow['metadata'];

/** What a creating call says of an offer. It is active, without window and metadata unless told. */
export type NewOfferInput = {
  readonly name: string;
  readonly phases: readonly PhaseInput[];
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
  readonly active?: boolean | null | undefined;
};

/** New terms of an offer; undefined leaves the optional ones as they are, a null bound takes it away (OFR-5). */
export type OfferChanges = NewOfferInput & { readonly id: string };

type Terms = Pick<OfferRow, 'name' | 'phases' | 'metadata' | 'startsAt' | 'endsAt' | 'active'>;

const isReversed = ({ startsAt, endsAt }: Terms): boolean => startsAt !== null && endsAt !== null && endsAt <= startsAt;

/** The terms an input means over those it leaves alone. Throws `validation_error` with everything that is wrong (OFR-3). */
function termsOf(input: NewOfferInput, stored: Omit<Terms, 'name' | 'phases'>): Terms {
  const phases = input.phases.map(phaseOf);
  const terms = {
    name: input.name,
    phases: phases as unknown as Json,
    metadata: (input.metadata ?? stored.metadata) as Json,
    startsAt: input.startsAt === undefined ? stored.startsAt : input.startsAt,
    endsAt: input.endsAt === undefined ? stored.endsAt : input.endsAt,
    active: input.active ?? stored.active,
  };
  const problems: FieldProblem[] = phaseProblems(phases);
  if (isReversed(terms)) problems.push({ field: 'endsAt', message: 'The window ends after it starts.' });
  if (problems.length > 0) throw validationError(problems);
  return terms;
}

/** Creates an offer. Throws `validation_error` (OFR-3). */
export const createOffer = (context: Context, input: NewOfferInput): Promise<OfferRow> =>
  inTransaction(context, async (inner) => {
    const terms = termsOf(input, { metadata: {}, startsAt: null, endsAt: null, active: true });
    const now = inner.clock.now();
    const data = { id: newId('ofr'), seq: await nextSeq(inner), ...terms };
    return inner.db.offer.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
  });

/** Replaces the terms of an offer; its `updatedAt` stays when nothing changes. Throws `offer_not_found`, `validation_error` (OFR-3, OFR-5). */
export const updateOffer = (context: Context, input: OfferChanges): Promise<OfferRow> =>
  inTransaction(context, async (inner) => {
    const offer = await requireLockedOffer(inner, input.id, 'UPDATE');
    const terms = termsOf(input, offer);
    const { name, phases, metadata, startsAt, endsAt, active } = offer;
    if (isDeepStrictEqual(terms, { name, phases, metadata, startsAt, endsAt, active })) return offer;
    const changes = { ...terms, updatedAt: inner.clock.now() };
    await inner.db.offer.update({ where: { id: offer.id }, data: changes });
    return { ...offer, ...changes };
  });

/** Deletes an offer and ends its placements on prices; applications stay (OFR-5). Throws `offer_not_found`. */
export const deleteOffer = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    await requireLockedOffer(inner, id, 'UPDATE');
    const now = inner.clock.now();
    await inner.db.planPrice.update({ where: { introductoryOfferId: id }, data: { introductoryOfferId: null, updatedAt: now } });
    await inner.db.offer.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'offer' };
  });
