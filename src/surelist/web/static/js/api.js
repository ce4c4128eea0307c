// Requests to the page's own JSON twins.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function read(response) {
  if (response.status === 204) return null;
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    throw new ApiError(response.status, body?.error ?? `the page answered with ${response.status}`);
  }
  return body;
}

async function send(method, path, body, signal) {
  const options = { method, signal, headers: {}, credentials: "same-origin" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "Surelist does not answer: is it still running in the terminal?");
  }
  return read(response);
}

export const get = (path, signal) => send("GET", path, undefined, signal);
export const post = (path, body, signal) => send("POST", path, body, signal);
export const patch = (path, body) => send("PATCH", path, body);
export const remove = (path) => send("DELETE", path);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// XMLHttpRequest, because fetch does not tell how much of a file has been sent.
export function upload(file, progressed) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/uploads?name=${encodeURIComponent(file.name)}`);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progressed(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      const body = parsed(request.responseText);
      if (request.status === 201) resolve(body);
      else reject(new ApiError(request.status, body?.error ?? "the upload was refused"));
    });
    request.addEventListener("error", () => reject(new ApiError(0, "the upload was cut off")));
    request.send(file);
  });
}
