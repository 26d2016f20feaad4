import { Badge } from './badge.tsx';

type RequestStatusProps = {
  /** HTTP status of the response. */
  readonly status: number;
  /** Error code. `null` if the request succeeded. */
  readonly code: string | null;
};

/** Badge with the HTTP status and the error code of a request. */
export const RequestStatus = ({ status, code }: RequestStatusProps) => (
  <Badge tone={code === null && status < 400 ? 'positive' : 'negative'}>
    {code === null ? status : `${status} ${code}`}
  </Badge>
);
