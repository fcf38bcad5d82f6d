/** An upload that tells how far it is: fetch cannot say, XMLHttpRequest can. Loaded when a file is sent. */
import { ApiError, readContent, type IncomingAnswer, type OutgoingRequest, type UploadProgress } from './transport.ts';

interface ProgressEvent { loaded: number; total: number; lengthComputable: boolean }
/** The part of the browser's object that is used here; the server's types do not know it. */
interface Xhr {
  open: (method: string, url: string) => void;
  setRequestHeader: (name: string, value: string) => void;
  send: (body?: unknown) => void;
  abort: () => void;
  timeout: number;
  readonly status: number;
  readonly responseText: string;
  readonly upload: { onprogress: ((event: ProgressEvent) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  ontimeout: (() => void) | null;
}

/** Sends like fetch does and calls back as the bytes leave. */
export function sendWithProgress(tell: (event: UploadProgress) => void) {
  return (request: OutgoingRequest) => new Promise<IncomingAnswer>((resolve, reject) => {
    const Request = (globalThis as unknown as { XMLHttpRequest: new () => Xhr }).XMLHttpRequest;
    const xhr = new Request();
    const fail = (text: string) => () => reject(new ApiError(0, text));
    xhr.open(request.method, request.url);
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
    xhr.timeout = request.timeout;
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => tell(
      lengthComputable ? { loaded, total, progress: total > 0 ? loaded / total : 1 } : { loaded });
    xhr.onload = () => resolve({ status: xhr.status, data: readContent(xhr.responseText) });
    xhr.onerror = fail('Network Error');
    xhr.onabort = fail('Request aborted');
    xhr.ontimeout = fail(`timeout of ${request.timeout}ms exceeded`);
    if (request.signal?.aborted) {
      reject(new ApiError(0, 'Request aborted'));
      return;
    }
    request.signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(request.body);
  });
}
