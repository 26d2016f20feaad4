import { clientName } from '../rest/client-names.ts';
import { parameterExample } from '../rest/curl.ts';
import type { RequestExample } from '../rest/request-examples.ts';
import type { Route } from '../rest/routes.ts';

/** Longest object on one line of an example. A longer object takes several lines. */
const lineLength = 60;

/** Returns a value as a TypeScript literal. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
    return `${key}: ${literal(member, inner)}`;
  });
  if (members.length === 0) return '{}';
  const line = `{ ${members.join(', ')} }`;
  return line.length + indent.length <= lineLength && !line.includes('\n')
    ? line
    : `{\n${members.map((member) => `${inner}${member},`).join('\n')}\n${indent}}`;
}

/** Returns a call of a route with the TypeScript client. The client is `q`. A list is read with `for await`. */
export function clientCall(route: Route, { query, body }: RequestExample): string {
  const { namespace, method } = clientName(route);
  const parameters = route.inputs
    .filter(({ place }) => place === 'path')
    .map((input) => literal(String(parameterExample(route, input) ?? '')));
  const input = body ?? query;
  const provided = input === undefined || Object.keys(input).length === 0 ? [] : [literal(input)];
  const call = `q.${namespace}.${method}(${[...parameters, ...provided].join(', ')})`;
  return route.shape === 'page'
    ? `for await (const item of ${call}) {\n  console.log(item);\n}`
    : `const result = await ${call};`;
}
