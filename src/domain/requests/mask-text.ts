import { maskClassOf } from './masked-fields.ts';

// Masks texts, addresses, and JSON texts. JSON is scanned, not parsed, so that only the stored part of a body takes time.

/** Replacement for a masked value. */
export const mask = '••••';

/** Mark at the end of a text that was cut off. */
export const cutMark = '…';

/** Number of characters of a personal value that a sandbox keeps. */
const keptCharacters = 2;

/** Emails, API keys, signing secrets, secret keys of providers, and signed tokens, wherever they occur. */
const sensitive =
  /[^\s"'<>(),;:/?&=]+@[^\s"'<>(),;:/?&=]+\.[^\s"'<>(),;:/?&=]+|\b(?:ck|cst|sk|rk|pk)_[A-Za-z0-9_-]{8,}|\bwhsec_[\w+/=-]+|\bey[\w-]{8,}\.[\w-]+\.[\w-]+/g;

/** Addresses, up to the first segment of the path. The rest can contain the token of a page. */
const webAddress = /\b(https?:\/\/[^\s"/?#\\]+(?:\/[\w-]*)?)[^\s"\\]*/g;

/** Numbers with the length of a card number. */
const longNumber = /\b\d(?:[ -]?\d){12,18}\b/g;

/** True if the digits have a valid check digit, as card numbers have. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const value = index % 2 === 1 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** True for texts that can contain a sensitive part. Most texts can't, and this check is faster than the replacements. */
const suspicious = /@|:\/\/|(?:ck|sk|rk|pk|cst|whsec)_|ey[\w-]{8}|\d[\d -]{11}/;

/** Masks the sensitive parts of a text that isn't masked as a whole. */
export function maskText(text: string): string {
  if (!suspicious.test(text)) return text;
  let masked = text;
  if (masked.includes('://'))
    masked = masked.replace(webAddress, (whole, start: string) =>
      whole.length === start.length ? whole : `${start}/${mask}`,
    );
  masked = masked.replace(sensitive, mask);
  return /\d{4}/.test(masked)
    ? masked.replace(longNumber, (digits) => (hasCheckDigit(digits.replace(/\D/g, '')) ? mask : digits))
    : masked;
}

/** Masks a personal value. A sandbox keeps the last characters, so that a developer can recognize the value. */
const maskPersonal = (text: string, isLive: boolean): string =>
  isLive || text.length <= keptCharacters ? mask : `${mask}${text.slice(-keptCharacters)}`;

/** Settings of a masking. */
export type Masking = {
  /** Root field of the request. */
  readonly operation: string;
  readonly isLive: boolean;
  /** Returns the fields that a key of the JSON text can refer to. A GraphQL document can rename fields. */
  readonly fieldsOf?: (key: string) => readonly string[];
};

/** Keys of containers. An object in a container belongs to the owner of the container. */
const containers: ReadonlySet<string> = new Set([
  'data',
  'edges',
  'input',
  'items',
  'node',
  'nodes',
  'variables',
]);

type Level = {
  readonly owner: string;
  readonly isArray: boolean;
  readonly masks: 'secret' | 'personal' | null;
};

const token = /\s+|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/y;

const secretClass = 'secret';

/** Class of a key: the strictest class of the fields that it can refer to. */
function classOfKey(key: string, owner: string, { fieldsOf }: Masking): Level['masks'] {
  if (fieldsOf === undefined) return maskClassOf(key, owner);
  const classes = fieldsOf(key).map((field) => maskClassOf(field, owner));
  if (classes.includes(secretClass)) return secretClass;
  return classes.includes('personal') ? 'personal' : null;
}

/** Value of a string literal. */
const stringIn = (literal: string): string =>
  literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);

/** Returns a string literal with its value masked. */
function maskedLiteral(literal: string, masks: Level['masks'], isLive: boolean): string {
  if (masks === secretClass) return `"${mask}"`;
  if (literal === '""') return literal;
  if (masks === 'personal') return JSON.stringify(maskPersonal(stringIn(literal), isLive));
  // Escapes could hide a sensitive part.
  return literal.includes('\\') ? JSON.stringify(maskText(stringIn(literal))) : maskText(literal);
}

/**
 * Masks a JSON text, and cuts it off at a number of characters. The text must be valid JSON, or the beginning of a valid JSON text.
 */
export function maskJson(text: string, limit: number, masking: Masking): string {
  const { isLive, operation } = masking;
  const stack: Level[] = [];
  let level: Level = { owner: operation, isArray: false, masks: null };
  let key: string | null = null;
  let masked = '';
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [part] = token.exec(text) ?? [];
    // The text ends within a string.
    if (part === undefined) return `${masked}${cutMark}`;
    const isKey = !level.isArray && key === null && part.startsWith('"') && stack.length > 0;
    const owner = level.owner;
    const ofKey = key === null ? null : classOfKey(key, owner, masking);
    const own = ofKey === secretClass ? ofKey : (level.masks ?? ofKey);
    if (isKey) {
      key = stringIn(part);
      masked += part;
    } else if (part === '{' || part === '[') {
      stack.push(level);
      const named = key === null || containers.has(key) ? null : (masking.fieldsOf?.(key)[0] ?? key);
      level = { owner: named ?? owner, isArray: part === '[', masks: own };
      key = null;
      masked += part;
    } else if (part === '}' || part === ']') {
      level = stack.pop() ?? level;
      key = null;
      masked += part;
    } else if (part.startsWith('"')) {
      masked += maskedLiteral(part, own, isLive);
      key = null;
    } else if (part === ',') {
      key = null;
      masked += part;
    } else {
      masked += own === secretClass && /^-?\d/.test(part) ? `"${mask}"` : part;
    }
    if (masked.length > limit) return `${masked.slice(0, limit)}${cutMark}`;
  }
  return masked;
}

/** Masks the literals in a GraphQL document, because they can contain any value. IDs are kept. */
export const maskDocument = (document: string): string =>
  document.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, (literal) =>
    /^"[a-z]{2,5}_[0-9A-Za-z]{20,}"$/.test(literal) ? literal : `"${mask}"`,
  );

/** Masks a path and a query string. */
export function maskAddress(path: string, search: string, { operation, isLive }: Masking): string {
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      return text;
    }
  };
  const maskedPath = path
    .split('/')
    .map((segment) => {
      const plain = decoded(segment);
      const masked = maskText(plain);
      return masked === plain ? segment : masked;
    })
    .join('/');
  if (search === '') return maskedPath;
  const parameters = search.split('&').map((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    const masks = maskClassOf(decoded(name), operation);
    const plain = decoded(value);
    if (masks !== null) return `${name}=${masks === secretClass ? mask : maskPersonal(plain, isLive)}`;
    const masked = maskText(plain);
    return masked === plain ? parameter : `${name}=${masked}`;
  });
  return `${maskedPath}?${parameters.join('&')}`;
}
