import { dryRunHeader } from '../graphql/declare/request-parts.ts';
import type { DocumentParameters, TrustedDocuments } from '../graphql/declare/trusted-documents.ts';
import { type DescribedDocument, describeDocument } from '../graphql/execute/describe.ts';
import { monotonicMs } from '../platform/clock.ts';
import { type App, RequestContext } from '../request/context.ts';
import type { Described } from '../request/log/entry.ts';
import { noteRequest } from '../request/log/note-request.ts';
import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const parsed = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

/** Describes the operations in a request to the GraphQL endpoint: one operation, or a batch. `textOf` returns a document that the body refers to. */
function describeGraphql(
  body: string | null,
  address: string,
  textOf: (parameters: DocumentParameters) => string | undefined,
): Described {
  const fromAddress = new URLSearchParams(address.split('?', 2)[1] ?? '').get('query');
  const bodies = [parsed(body) ?? {}].flat() as DocumentParameters[];
  const documentOf = (parameters: DocumentParameters): string => {
    try {
      return textOf(parameters) ?? fromAddress ?? '';
    } catch {
      // The caller got the error about the reference.
      return '';
    }
  };
  const documents: DescribedDocument[] = bodies.map((each) => describeDocument(documentOf(each)));
  const rootFields = documents.flatMap((document) => document.rootFields);
  return {
    operation: [...new Set(rootFields)].join(','),
    fieldsOf: (key) => {
      const found = documents.flatMap(({ fields }) => fields.get(key) ?? []);
      return found.length === 0 ? [key] : found;
    },
  };
}

type Parts = {
  readonly answer: (ctx: RequestContext, request: HttpRequest) => Promise<Reply>;
  /** Returns the response to an error. */
  readonly failed: (ctx: RequestContext, error: unknown) => Reply;
};

/** Returns the handler that executes a request and records the request with its response, also if the execution throws an error. */
export const noted =
  (app: App, documents: TrustedDocuments, { answer, failed }: Parts) =>
  async (request: HttpRequest): Promise<Reply> => {
    const { address } = request;
    const began = monotonicMs();
    const ctx = new RequestContext(app, request.id);
    if (request.as !== undefined) ctx.become(request.as.caller, request.as.environment);
    const reply = await answer(ctx, request).catch((error: unknown) => failed(ctx, error));
    noteRequest(ctx, {
      request,
      transport: request.sentBy ?? 'graphql',
      route: '/graphql',
      status: reply.status,
      response: reply.body,
      isDryRun: request.headers.get(dryRunHeader) === '1',
      milliseconds: monotonicMs() - began,
      describe: (body) => describeGraphql(body, address, (parameters) => documents.textOf(parameters)),
    });
    return reply;
  };
