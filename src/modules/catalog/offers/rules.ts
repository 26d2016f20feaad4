import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import { phaseProblems } from '../../../domain/offers/phase.ts';
import type { OfferRow } from './store.ts';
import { type PhaseInput, phaseOf } from './types/phase-input.ts';

type Json = OfferRow['metadata'];

/**
 * Parameters for creating an offer. By default, the offer is active and has no validity window and no
 * metadata.
 */
export type NewOfferInput = {
  readonly name: string;
  readonly phases: readonly PhaseInput[];
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
  readonly active?: boolean | null | undefined;
};

type Terms = Pick<OfferRow, 'name' | 'phases' | 'metadata' | 'startsAt' | 'endsAt' | 'active'>;

const isReversed = ({ startsAt, endsAt }: Terms): boolean =>
  startsAt !== null && endsAt !== null && endsAt <= startsAt;

/**
 * Returns the offer terms that a request contains. Omitted fields keep their stored values. Throws `validation_error` with all problems
 * (OFR-3).
 */
export function termsOf(input: NewOfferInput, stored: Omit<Terms, 'name' | 'phases'>): Terms {
  const phases = input.phases.map(phaseOf);
  const terms = {
    name: input.name,
    phases,
    metadata: (input.metadata ?? stored.metadata) as Json,
    startsAt: input.startsAt === undefined ? stored.startsAt : input.startsAt,
    endsAt: input.endsAt === undefined ? stored.endsAt : input.endsAt,
    active: input.active ?? stored.active,
  };
  const problems: FieldProblem[] = phaseProblems(phases);
  if (isReversed(terms))
    problems.push({ field: 'endsAt', message: 'The availability period must end after it starts.' });
  if (problems.length > 0) throw validationError(problems);
  return terms;
}
