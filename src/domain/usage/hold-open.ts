// Opens and extends holds (LIM-50, LIM-54, LIM-58, LIM-59).
import type { Rejection } from '../errors/errors.ts';
import { gaugesAfter } from '../holds/gauges.ts';
import {
  defaultLifetime,
  extendedEnd,
  type HeldModel,
  type HoldEstimate,
  type HoldRequestFields,
  type HoldRow,
} from '../holds/hold.ts';
import type { ExtendStep, OpenStep } from '../holds/steps.ts';
import { throttleOf } from '../limits/throttle.ts';
import { eventAggregation } from '../meters/meter.ts';
import { exactDecimal, exactOf, readDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, plus, ratio, wholePart } from '../rates/exact.ts';
import { secondMs } from '../time/period.ts';
import { keepMoved, type RejectedMovement, rejectMovement } from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';
import { expireDue } from './hold-end.ts';
import {
  archivedBudget,
  emptyEstimate,
  holdExpired,
  holdNotFound,
  holdReleased,
  holdSettled,
  livesTooLong,
  otherHold,
} from './hold-problems.ts';
import { type Estimate, largestBetween, type Reserved, reserve } from './hold-reserve.ts';
import { invalid } from './invalid.ts';
import { unitScale } from './metered-terms.ts';
import { movementNodes, nodesOfHold } from './movement-nodes.ts';
import type { ModelDetails, PricedRequest, Quantity, UsageRequest } from './record.ts';
import type { Recorded } from './record-event.ts';
import { partProblem, sourceProblem } from './sourced.ts';
import { readPrices, type StoredPrices, storedPrices } from './tokens.ts';
import { isStoredGauge, requestedBudgetId } from './usage-limits.ts';

const texts = (tokens: PricedRequest['tokens']): HoldRequestFields['tokens'] =>
  Object.fromEntries(
    Object.entries(tokens).flatMap(([name, count]) => (count === null ? [] : [[name, `${count}`]])),
  );

/** Returns the fields of a request that a repeated request must have too. */
const fieldsOf = (request: UsageRequest, { atLeast, expiresIn }: OpenStep): HoldRequestFields => ({
  value: request.value === null ? null : `${request.value}`,
  quantity: request.quantity,
  model: request.model,
  tokens: texts(request.tokens),
  inputIncludesCache: request.inputIncludesCache,
  atLeast,
  expiresIn,
});

/** Returns fields in a fixed order. The database doesn't keep the order of JSON members. */
const inOrder = (fields: object): string =>
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const pairOf = ({ property, value }: UsageRequest['properties'][number]) => [property, value] as const;

const isSameRequest = (a: HoldRequestFields, b: HoldRequestFields): boolean =>
  inOrder({ ...a, tokens: inOrder(a.tokens) }) === inOrder({ ...b, tokens: inOrder(b.tokens) });

/** Returns the rejection if a hold ID belongs to a different hold (LIM-58). `null` if the request repeats the hold. */
function repetitionOf(
  book: UsageBook,
  hold: HoldRow,
  request: UsageRequest,
  step: OpenStep,
  subject: Subject,
): Rejection | null {
  const isSame =
    hold.customerId === subject.customer.id &&
    hold.featureId === subject.feature.id &&
    hold.budgetId === requestedBudgetId(request, subject.customer.id, book.limits) &&
    hold.onExcess === step.onExcess &&
    JSON.stringify(hold.properties.map(pairOf)) === JSON.stringify(request.properties.map(pairOf)) &&
    isSameRequest(hold.estimate.request, fieldsOf(request, step));
  return isSame ? null : otherHold;
}

/** Returns the rejection if a feature can't be held: its total must be the sum or the number of its events. */
function meterProblem({ terms: { meter } }: Subject): Rejection | null {
  const aggregation = meter === null ? 'sum' : eventAggregation(meter.document);
  const isHoldable =
    meter === null ||
    (meter.document.bucket === undefined && (aggregation === 'sum' || aggregation === 'count'));
  return isHoldable
    ? null
    : invalid('featureCode', 'Only features whose meter is `sum` or `count` can be held.');
}

/** Returns the model whose prices a hold keeps. */
function modelOf(book: UsageBook, { model }: PricedRequest): HeldModel | null {
  if (model === null) return null;
  const [found] = book.details.models.get(model) ?? [];
  return found === undefined
    ? null
    : { name: model, id: found.id, version: found.version, prices: storedPrices(found.prices) };
}

/** Returns the models that price the usage of a hold. Another model has its current prices. */
export function modelsFor(hold: HoldRow, request: PricedRequest): ModelDetails[] | undefined {
  const { model } = hold.estimate;
  if (model === null || model.name !== request.model) return undefined;
  // `storedPrices` created these prices.
  return [{ id: model.id, version: model.version, prices: readPrices(model.prices as StoredPrices) }];
}

/** Request with another quantity: output tokens of an AI model, or units. */
const sized = (request: PricedRequest, count: bigint, scale: bigint): PricedRequest =>
  request.model === null
    ? { ...request, value: null, quantity: exactText(ratio(count, scale)) }
    : { ...request, tokens: { ...request.tokens, output: count } };

/** Quantities that a reduced hold can have: output tokens of an AI model, or counted units. */
type Span = { readonly least: bigint; readonly most: bigint };

const scaleOf = ({ request, subject }: Estimate): bigint =>
  request.model === null ? unitScale(subject.terms) : 1n;

/** Returns the quantities from the smallest quantity to the estimate, or the rejection of the smallest quantity. */
function spanOf(estimate: Estimate, full: Quantity, atLeast: string): Span | Rejection {
  const { request } = estimate;
  const scale = scaleOf(estimate);
  const read = readDecimal(atLeast, { digits: 40, decimals: `${scale}`.length - 1 });
  if (typeof read === 'string') return invalid('atLeast', `The smallest quantity ${read}.`);
  const { numerator, denominator } = exactOf(read);
  const most = request.model === null ? full.units : (request.tokens.output ?? 0n);
  const least = wholePart({ numerator: numerator * scale, denominator });
  return least < 1n || least > most
    ? invalid('atLeast', 'The smallest quantity must be greater than 0, and at most the estimate.')
    : { least, most };
}

/** Reserves the largest quantity between the smallest quantity and the estimate (LIM-54). */
function reserveAtLeast(
  book: UsageBook,
  estimate: Estimate,
  { least, most }: Span,
): Reserved | RejectedMovement | Rejection {
  const { request, subject } = estimate;
  const scale = scaleOf(estimate);
  const tryCount = (count: bigint): Reserved | RejectedMovement | Rejection => {
    const changed = { ...estimate, request: sized(request, count, scale) };
    const quantity = book.quantityOf(changed.request, subject);
    return 'code' in quantity ? quantity : reserve(book, changed, quantity);
  };
  const fits = (count: bigint): boolean => {
    const tried = tryCount(count);
    return !('code' in tried) && tried.rejection === null;
  };
  return tryCount(largestBetween(least, most, fits) ?? least);
}

const outputOf = (request: PricedRequest): bigint | null =>
  request.model === null ? null : (request.tokens.output ?? 0n);

const unitsText = (units: bigint, { terms }: Subject): string => exactText(ratio(units, unitScale(terms)));

/** Opens a hold, or returns the rejection. */
export function openHold(book: UsageBook, request: UsageRequest, step: OpenStep): Recorded {
  const subject = book.subjectOf(request.customerId, request.featureCode);
  if ('code' in subject) return { rejection: subject };
  const known = step.holdId === null ? null : book.holds.find(step.holdId);
  if (known !== null) {
    const problem = repetitionOf(book, known, request, step, subject);
    return problem === null ? { hold: known, isRepetition: true } : { rejection: problem };
  }
  const unusable = sourceProblem(book, subject) ?? meterProblem(subject);
  if (unusable !== null) return { rejection: unusable };
  const full = book.quantityOf(request, subject);
  if ('code' in full) return { rejection: full };
  if (full.units <= 0n) return { rejection: emptyEstimate };
  const nodes = movementNodes(book.limits, subject, request.budget ?? null);
  if ('code' in nodes) return { rejection: nodes };
  const estimate = { request, subject, nodes };
  const span = step.atLeast === null ? null : spanOf(estimate, full, step.atLeast);
  if (span !== null && 'code' in span) return { rejection: span };
  const whole = reserve(book, estimate, full);
  const isCut = whole.rejection !== null && span !== null;
  if (isCut) book.constrained.add(subject.customer.id);
  const reserved = isCut ? reserveAtLeast(book, estimate, span) : whole;
  if ('code' in reserved) return { rejection: reserved };
  if (reserved.rejection !== null) return rejectMovement(book, subject, reserved);
  const excluded = isCut ? null : partProblem(book, { request, subject, ts: book.now, nodes }, full);
  if (excluded !== null) return { rejection: excluded };
  book.tell(subject, reserved.result, keepMoved(book, nodes, reserved));
  const { now, newId } = book.details;
  const { units } = reserved.quantity;
  const price = reserved.price === null ? null : exactText(reserved.price);
  const fullOutput = outputOf(request);
  const output = fullOutput === null ? null : fullOutput - (full.units - units);
  const described: HoldEstimate = {
    request: fieldsOf(request, step),
    customer: request.customerId,
    quantity: unitsText(units, subject),
    scale: `${unitScale(subject.terms)}`,
    outputTokens: output === null ? null : `${output}`,
    price,
    model: modelOf(book, request),
    path: nodes[0]?.path ?? [],
  };
  const expiresAt = new Date(now.getTime() + (step.expiresIn ?? defaultLifetime) * secondMs);
  const hold: HoldRow = {
    id: newId('hld'),
    seq: null,
    holdId: step.holdId,
    customerId: subject.customer.id,
    subscriptionId: subject.subscription.id,
    featureId: subject.feature.id,
    budgetId: nodes.find(({ key }) => key !== null)?.id ?? null,
    status: 'open',
    onExcess: step.onExcess,
    estimate: described,
    units,
    price,
    gauges: gaugesAfter({}, reserved.tried.filter(isStoredGauge)),
    properties: request.properties,
    settled: 0n,
    lastEventId: null,
    expiresAt,
    dueAt: expiresAt,
    endedAt: null,
    createdAt: now,
  };
  book.holds.store(hold);
  return { hold, isRepetition: false, throttle: throttleOf(reserved.tried) };
}

/** Returns the rejection of an extension of a hold that has ended. */
function endedProblem({ status }: HoldRow): Rejection {
  if (status === 'settled') return holdSettled;
  if (status === 'released') return holdReleased;
  return holdExpired;
}

/** Extends an open hold: moves its end, and adds to its estimate like another hold. */
export function extendHold(book: UsageBook, request: UsageRequest, step: ExtendStep): Recorded {
  const hold = expireDue(book, book.holds.find(step.hold));
  if (hold === null) return { rejection: holdNotFound };
  if (hold.status !== 'open') return { rejection: endedProblem(hold) };
  const expiresAt = step.expiresIn === null ? hold.expiresAt : extendedEnd(hold, book.now, step.expiresIn);
  if (expiresAt === null) return { rejection: livesTooLong };
  const extended: HoldRow = { ...hold, expiresAt, dueAt: expiresAt };
  if (!step.adds) {
    book.holds.store(extended);
    return { hold: extended, isRepetition: false };
  }
  const subject = book.subjectOf(request.customerId, request.featureCode);
  if ('code' in subject) return { rejection: subject };
  const priced = { ...request, properties: hold.properties };
  const quantity = book.quantityOf(priced, subject, book.now, modelsFor(hold, priced));
  if ('code' in quantity) return { rejection: quantity };
  if (quantity.units <= 0n) return { rejection: emptyEstimate };
  const nodes = nodesOfHold(book.limits, hold, subject);
  if (book.limits?.rows.hasArchived(nodes) === true) return { rejection: archivedBudget };
  const estimate = { request: priced, subject, nodes };
  const reserved = reserve(book, estimate, quantity);
  if (reserved.rejection !== null) return rejectMovement(book, subject, reserved);
  book.tell(subject, reserved.result, keepMoved(book, nodes, reserved));
  const next = withAdded(extended, reserved, outputOf(priced), subject);
  book.holds.store(next);
  return { hold: next, isRepetition: false, throttle: throttleOf(reserved.tried) };
}

const sumOf = (text: string | null, added: Exact | null): string | null =>
  text === null ? null : exactText(added === null ? exactDecimal(text) : plus(exactDecimal(text), added));

/** Returns a hold with an added estimate. */
function withAdded(hold: HoldRow, reserved: Reserved, output: bigint | null, subject: Subject): HoldRow {
  const { estimate } = hold;
  const { units } = reserved.quantity;
  const outputTokens =
    estimate.outputTokens === null ? null : `${BigInt(estimate.outputTokens) + (output ?? 0n)}`;
  return {
    ...hold,
    units: hold.units + units,
    price: sumOf(hold.price, reserved.price),
    gauges: gaugesAfter(hold.gauges, reserved.tried.filter(isStoredGauge)),
    estimate: {
      ...estimate,
      quantity: exactText(plus(exactDecimal(estimate.quantity), ratio(units, unitScale(subject.terms)))),
      outputTokens,
      price: sumOf(estimate.price, reserved.price),
    },
  };
}
