// Usage that several features count: the feature that the event names, and the features whose meters have it as their source (PRM-13).
import { type Rejection, validationRejection } from '../errors/errors.ts';
import { holdsLevel } from '../meters/meter.ts';
import type { Catalog, FeatureRow } from '../pricing/catalog.ts';
import {
  type Attempt,
  attempt,
  type EventLinks,
  type Fitting,
  type KeptUsage,
  keepMoved,
  rejectMovement,
  storeEvent,
  type Usage,
} from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';
import type { ReplacementFields } from './correction-request.ts';
import { featureProblem } from './event-checks.ts';
import type { PricedRequest, Quantity, UsageEventRow } from './record.ts';
import { savepoint } from './savepoint.ts';
import { noTokens } from './tokens.ts';

/** Features of catalogs that count the events of another feature, by the ID of that feature. */
const countingByCatalog = new WeakMap<Catalog, ReadonlyMap<string, readonly FeatureRow[]>>();

const none: readonly FeatureRow[] = [];

function findCounting({ features }: Catalog): ReadonlyMap<string, readonly FeatureRow[]> {
  const pairs = [...features.values()]
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => (a.seq < b.seq ? -1 : 1))
    .flatMap((feature) =>
      [...new Set(feature.meters.flatMap(({ source }) => source ?? []))].map((source) => ({
        source,
        feature,
      })),
    );
  return new Map(
    [...Map.groupBy(pairs, ({ source }) => source)].map(([source, list]) => [
      source,
      list.map(({ feature }) => feature),
    ]),
  );
}

/**
 * Returns the features of a catalog whose meters have had a feature as their source, in the order in which they were created. The meter of a
 * subscription determines whether they count its events.
 */
export const countingFeatures = (catalog: Catalog, featureId: string): readonly FeatureRow[] =>
  countingByCatalog.getOrInsertComputed(catalog, findCounting).get(featureId) ?? none;

/** Returns the features of the subscription that count the events of a feature, with their terms. */
export function countingSubjects(book: UsageBook, subject: Subject): Subject[] {
  const { subscription, plan } = subject;
  return countingFeatures(book.catalog, subject.feature.id).flatMap((feature) => {
    const terms = book.termsOf(subscription, plan, feature);
    if (terms?.meter?.document.source !== subject.feature.id) return [];
    return featureProblem(feature, terms, 'usage') === null ? [{ ...subject, feature, terms }] : [];
  });
}

/** Returns a `validation_error` with the reason `has_source`. */
export function hasSource(field: string, message: string): Rejection {
  const problems = [{ field, message }];
  return { ...validationRejection(problems), details: { reason: 'has_source', problems } };
}

/** Returns the rejection of an event for a feature that counts the events of another feature. `null` if the feature accepts events. */
export function sourceProblem(book: UsageBook, { terms }: Subject): Rejection | null {
  const source = terms.meter?.document.source;
  if (source === undefined) return null;
  const code = book.catalog.features.get(source)?.code ?? source;
  return hasSource('featureCode', `counts the events of \`${code}\`. Record events for \`${code}\` instead`);
}

/** Usage of a feature that counts the usage of another feature. */
type Part = { readonly usage: Usage; readonly quantity: Quantity };

/** Returns the rejection with the code of the feature that rejects the usage. */
function aboutFeature({ details, ...rejection }: Rejection, { feature }: Subject): Rejection {
  const own = Array.isArray(details) ? { problems: details as unknown } : (details as object | undefined);
  return { ...rejection, details: { ...own, featureCode: feature.code } };
}

/** Returns the request as other features count it: an AI model's usage is the number of its tokens. */
const countedRequest = <R extends PricedRequest>(request: R, quantity: Quantity | null): R =>
  request.model === null || quantity === null
    ? request
    : {
        ...request,
        model: null,
        tokens: noTokens,
        inputIncludesCache: null,
        value: quantity.measured.value,
        quantity: null,
      };

/**
 * Returns the usage of the features that count the usage of another feature. Excludes features whose filters the event doesn't meet. Returns
 * the rejection if a feature can't count the event. `quantity` is the number of tokens that an AI model used.
 */
export function partsOf(
  book: UsageBook,
  usage: Usage & { readonly request: PricedRequest },
  quantity: Quantity | null,
): readonly Part[] | Rejection {
  const subjects = countingSubjects(book, usage.subject);
  const parts: Part[] = [];
  for (const subject of subjects) {
    const { levelKind = null, ...named } = countedRequest(usage.request, quantity);
    const isLevel = holdsLevel(subject.terms.meter?.document ?? null);
    const request = { ...named, levelKind: isLevel ? levelKind : null };
    const counted = book.quantityOf(request, subject, usage.ts);
    if ('code' in counted) return aboutFeature(counted, subject);
    if (counted.measured.isCounted)
      parts.push({
        usage: { ...usage, request: { ...usage.request, eventId: null }, subject, isSourced: true },
        quantity: counted,
      });
  }
  return parts;
}

/** Keeps the movements of usage and of its parts. Undoes all of them if one is rejected. */
function keepAll(
  book: UsageBook,
  usage: Usage,
  fitting: Fitting,
  parts: readonly Part[],
  isForced: boolean,
): readonly KeptUsage[] | { readonly rejected: Part; readonly rejection: Rejection } {
  const restore = savepoint(book, usage, [usage.subject, ...parts.map((part) => part.usage.subject)]);
  const moved: KeptUsage[] = [{ usage, fitting, crossings: keepMoved(book, usage.nodes, fitting) }];
  for (const part of parts) {
    const tried: Attempt = attempt(book, part.usage, { ...part.quantity, isForced });
    if (tried.rejection !== null) {
      restore();
      return { rejected: part, rejection: tried.rejection };
    }
    moved.push({ usage: part.usage, fitting: tried, crossings: keepMoved(book, usage.nodes, tried) });
  }
  return moved;
}

/**
 * Returns the rejection of a part of usage. The part's own rejection has the effects of any rejection, such as an alert; a part that is only
 * rejected because of the other parts has no effects.
 */
function rejectPart(book: UsageBook, { usage, quantity }: Part, rejection: Rejection): Rejection {
  const alone = attempt(book, usage, quantity);
  if (alone.rejection === null) {
    book.constrained.add(usage.subject.customer.id);
    return aboutFeature(rejection, usage.subject);
  }
  return aboutFeature(rejectMovement(book, usage.subject, alone).rejection, usage.subject);
}

/**
 * Stores accepted usage as an event, with one event for each part. Stores nothing if a part is rejected. If `isForced` is true, parts pass all
 * limits. `about` contains the events about the hold that the usage settles.
 */
export function storeUsage(
  book: UsageBook,
  usage: Usage,
  fitting: Fitting,
  {
    parts,
    isForced = false,
    hold = null,
  }: EventLinks & { readonly parts: readonly Part[]; readonly isForced?: boolean },
  about: Parameters<typeof storeEvent>[3] = () => [],
): { readonly event: UsageEventRow } | { readonly rejection: Rejection } {
  if (parts.length === 0) {
    const moved = { usage, fitting, crossings: keepMoved(book, usage.nodes, fitting) };
    return { event: storeEvent(book, moved, { hold }, about) };
  }
  const moved = keepAll(book, usage, fitting, parts, isForced);
  if ('rejection' in moved) return { rejection: rejectPart(book, moved.rejected, moved.rejection) };
  const [own, ...others] = moved;
  if (own === undefined) throw new Error('Usage has no movement.');
  const event = storeEvent(book, own, { hold }, about);
  for (const other of others) storeEvent(book, other, { sourceEventId: event.id });
  return { event };
}

/** Returns the rejection if a feature that counts the usage would reject it together with the usage. `null` if all features accept it. Stores nothing. */
export function partProblem(
  book: UsageBook,
  usage: Usage & { readonly request: PricedRequest },
  quantity: Quantity,
): Rejection | null {
  const parts = partsOf(book, usage, quantity);
  if ('code' in parts) return parts;
  if (parts.length === 0) return null;
  const tried = attempt(book, usage, quantity);
  if (tried.rejection !== null) return tried.rejection;
  const restore = savepoint(book, usage, [usage.subject, ...parts.map((part) => part.usage.subject)]);
  const moved = keepAll(book, usage, tried, parts, false);
  if (!('rejection' in moved)) restore();
  return 'rejection' in moved ? aboutFeature(moved.rejection, moved.rejected.usage.subject) : null;
}

/** Returns the fields of a replacement as other features count them. `replacement` is the recorded replacement. */
export const countedReplacement = (
  requested: ReplacementFields | null,
  recorded: Pick<UsageEventRow, 'value'> | null,
): ReplacementFields | null =>
  requested === null || recorded === null || requested.model === null
    ? requested
    : { ...requested, model: null, tokens: noTokens, inputIncludesCache: null, value: recorded.value };

/**
 * Records the events of features that count an event, except of known features, regardless of limits. Returns the rejection if a feature can't count
 * the event. The caller must then discard the book.
 */
export function recordParts(
  book: UsageBook,
  event: UsageEventRow,
  featureCode: string,
  known: ReadonlySet<string>,
): Rejection | null {
  const subject = book.subjectOf(event.customerId, featureCode);
  if ('code' in subject) return null;
  const { properties, ts } = event;
  const nodes = book.limits?.rows.countedNodes(event.customerId, event.budgetId, subject.plan.id) ?? [];
  const request = { ...countedFields(event), eventId: null, properties };
  const parts = partsOf(book, { request, subject, ts, nodes }, null);
  if ('code' in parts) return parts;
  for (const { usage, quantity } of parts) {
    if (known.has(usage.subject.feature.id)) continue;
    const tried = attempt(book, usage, { ...quantity, isForced: true });
    if (tried.rejection !== null) return tried.rejection;
    const moved = { usage, fitting: tried, crossings: keepMoved(book, nodes, tried) };
    storeEvent(book, moved, { sourceEventId: event.id });
  }
  return null;
}

/** Returns the fields of an event that determine its quantity for other features. */
const countedFields = ({ value, quantity, model, levelKind }: UsageEventRow) => ({
  levelKind,
  value: quantity === null || model !== null ? value : null,
  quantity: model === null ? quantity : null,
  model: null,
  tokens: noTokens,
  inputIncludesCache: null,
});
