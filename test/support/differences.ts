import type { Member, Signature } from './signature.ts';

/**
 * Whether a value is in a request or a response. Inputs must match the contract exactly. Responses may contain more than the contract
 * documents.
 */
export type Direction = 'input' | 'answer';

/**
 * True if a JSON type in the product matches a type in the contract. A map in the contract matches an object, and a number matches an
 * integer.
 */
function isOfType(product: Signature, contract: Signature): boolean {
  if (contract.type === 'any') return true;
  if (contract.type === 'map') return product.type === 'object' && product.members === null;
  if (contract.type === 'union') return product.type === 'union' || product.members !== null;
  return product.type === contract.type || (product.type === 'integer' && contract.type === 'number');
}

const sorted = (words: readonly string[]): string => [...words].sort().join(' ');

function wordProblem(product: Signature, contract: Signature, direction: Direction): string | null {
  // Skips enum values in responses, which are checked by tests with real requests.
  if (direction === 'answer' && (product.words === null || contract.words === null)) return null;
  const mine = product.words ?? [];
  const theirs = contract.words ?? [];
  if (direction === 'answer')
    return mine.every((word) => theirs.includes(word)) ? null : `can be ${sorted(mine)}`;
  return sorted(mine) === sorted(theirs)
    ? null
    : `takes ${sorted(mine) || 'any text'}, not ${sorted(theirs) || 'any text'}`;
}

function leafProblems(product: Signature, contract: Signature, direction: Direction): string[] {
  const problems: (string | null)[] = [wordProblem(product, contract, direction)];
  if (!isOfType(product, contract)) problems.push(`is ${product.type}, not ${contract.type}`);
  const isMorePermissive =
    direction === 'answer'
      ? product.isNullable && !contract.isNullable
      : product.isNullable !== contract.isNullable;
  if (isMorePermissive) problems.push(product.isNullable ? 'can be null' : 'cannot be null');
  if (direction === 'input') {
    if (contract.format !== null && product.format !== contract.format)
      problems.push(`has the format ${product.format}, not ${contract.format}`);
    for (const [name, bound] of Object.entries(contract.bounds)) {
      // For integers, "greater than 0" and "at least 1" are equivalent.
      const isSame =
        name === 'exclusiveMinimum' && bound === 0 && product.type === 'integer'
          ? product.bounds['minimum'] === 1
          : product.bounds[name] === bound;
      if (!isSame) problems.push(`has ${name} ${String(product.bounds[name])}, not ${String(bound)}`);
    }
  }
  return problems.filter((problem) => problem !== null);
}

function memberProblems(
  product: Readonly<Record<string, Member>>,
  contract: Readonly<Record<string, Member>>,
  direction: Direction,
  path: string,
): string[] {
  const names = [...new Set([...Object.keys(contract), ...Object.keys(product)])];
  return names.flatMap((name) => {
    const mine = product[name];
    const theirs = contract[name];
    const at = `${path}.${name}`;
    if (mine === undefined) return [`${at} is missing`];
    if (theirs === undefined) return [`${at} is not documented`];
    const isLooser =
      direction === 'input' ? mine.isRequired !== theirs.isRequired : theirs.isRequired && !mine.isRequired;
    const presence = isLooser ? [`${at} is ${mine.isRequired ? 'required' : 'optional'}`] : [];
    return [...presence, ...differences(mine.signature, theirs.signature, direction, at)];
  });
}

/**
 * Returns the product variant with the fewest differences from a variant in the contract. Each variant may allow all discriminator values.
 */
function nearest(
  offered: readonly Signature[],
  variant: Signature,
  direction: Direction,
  path: string,
): string[] {
  const candidates = offered.map((mine) =>
    differences(mine, variant, direction, path).filter((line) => !line.startsWith(`${path}.type can be `)),
  );
  return candidates.reduce((best, other) => (other.length < best.length ? other : best));
}

function variantProblems(
  product: Signature,
  variants: readonly Signature[],
  direction: Direction,
  path: string,
): string[] {
  const problems = variants.flatMap((variant) =>
    nearest(product.variants ?? [product], variant, direction, path),
  );
  const isOther = product.variants !== null && product.variants.length !== variants.length;
  return [
    ...new Set(
      isOther
        ? [`${path} has ${product.variants.length} variants, not ${variants.length}`, ...problems]
        : problems,
    ),
  ];
}

/** Returns the differences between the product's signature and the contract's signature, one per line. */
export function differences(
  product: Signature,
  contract: Signature,
  direction: Direction,
  path = '$',
): string[] {
  const problems = leafProblems(product, contract, direction).map((problem) => `${path} ${problem}`);
  if (contract.variants !== null)
    return [...problems, ...variantProblems(product, contract.variants, direction, path)];
  if (contract.members !== null && product.members !== null)
    problems.push(...memberProblems(product.members, contract.members, direction, path));
  if (contract.items !== null && product.items !== null)
    problems.push(...differences(product.items, contract.items, direction, `${path}[]`));
  return problems;
}
