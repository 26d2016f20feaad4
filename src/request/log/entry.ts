/** Interface through which a request arrived. `approval` for a call that Quittance made after its approval. */
type RequestTransport = 'rest' | 'graphql' | 'mcp' | 'approval';

/** Operation of a request. */
export type Described = {
  /** Root fields, separated by commas. */
  readonly operation: string;
  /** Returns the fields that a key of the bodies refers to. A GraphQL document can rename fields. */
  readonly fieldsOf?: (key: string) => readonly string[];
};

/** Request, as far as the log reads it. */
export type LoggedRequest = {
  readonly id: string;
  readonly method: string;
  readonly address: string;
  readonly remoteAddress: string;
  readonly idempotencyKey: string | null;
  readonly userAgent: string | null;
  /** ID of the request that this request repeats. */
  readonly replayOf?: string | undefined;
  /** Body, if it was read. */
  readonly body?: Uint8Array | null | undefined;
};

/** Kind and ID of a caller whose requests are recorded. */
export type LoggedCaller = { readonly kind: 'key' | 'member'; readonly id: string };

/** Request with its response. */
export type RequestNote = {
  readonly environmentId: string;
  readonly isLive: boolean;
  readonly caller: LoggedCaller;
  readonly apiVersion: string;
  readonly request: LoggedRequest;
  readonly transport: RequestTransport;
  /** Path pattern of the route. */
  readonly route: string;
  readonly status: number;
  /** Body of the response. `null` if it isn't recorded. */
  readonly response: unknown;
  readonly responseBytes: number;
  readonly isDryRun: boolean;
  readonly milliseconds: number;
  /** Returns the operation of a request body. Called after the response was sent. */
  readonly describe: (body: string | null) => Described;
};

/** Records requests and responses in the background. */
export type RequestRecorder = {
  readonly isOn: boolean;
  /** Adds a request. */
  readonly add: (note: RequestNote) => void;
  /** Writes all waiting requests. */
  readonly flush: () => Promise<void>;
};
