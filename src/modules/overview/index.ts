import './live.ts';
import './queries.ts';
