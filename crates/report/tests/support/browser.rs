//! A headless Chromium, driven through the DevTools protocol.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Nothing a browser does here takes longer unless it hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one page. It ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    process: Child,
    /// Also keeps the pages that are opened.
    directory: TempDir,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    last_id: u64,
    /// How many pages were opened. Each has an address of its own.
    pages: u32,
    /// What the page said on its own since it was opened.
    events: Vec<Value>,
}

impl Browser {
    /// None, after saying so, if there is no browser and none is required.
    pub fn start() -> Option<Browser> {
        let Some(program) = find_program() else {
            let required = std::env::var_os("RAVELIN_REQUIRE_BROWSER").is_some();
            assert!(!required, "no Chromium found, but RAVELIN_REQUIRE_BROWSER is set");
            println!("left out: no Chromium found");
            return None;
        };
        let directory = tempfile::tempdir().expect("a directory for the browser");
        let mut process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-dev-shm-usage"])
            .args(["--disable-extensions", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-port=0", "--window-size=1280,800"])
            .arg(format!("--user-data-dir={}", directory.path().join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let Some(socket) = connect(&directory.path().join("profile/DevToolsActivePort")) else {
            // Not yet owned by anything that would end it.
            let _ = process.kill();
            let _ = process.wait();
            panic!("the browser does not answer");
        };
        let mut browser = Browser {
            process,
            directory,
            socket,
            session: None,
            last_id: 0,
            pages: 0,
            events: Vec::new(),
        };
        browser.attach();
        Some(browser)
    }

    fn attach(&mut self) {
        let targets = self.call("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().expect("a list of targets");
        let page = targets.iter().find(|target| target["type"] == "page").expect("a page");
        let wanted = json!({ "targetId": page["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", wanted);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Opens a page and waits until it can be used; returns how long that took.
    pub fn open(&mut self, html: &str) -> Duration {
        self.pages += 1;
        let file = self.directory.path().join(format!("report-{}.html", self.pages));
        std::fs::write(&file, html).expect("the page can be written");
        self.events.clear();
        let begin = Instant::now();
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        // Modules run before this event.
        self.wait_for_event("Page.loadEventFired");
        let ready = self.eval("document.documentElement.dataset.ready === 'true'");
        assert!(ready == Value::Bool(true), "the page does not start: {:?}", self.complaints());
        begin.elapsed()
    }

    /// The value of an expression in the page; promises are awaited.
    pub fn eval(&mut self, expression: &str) -> Value {
        let wanted =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", wanted);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        answer["result"]["value"].clone()
    }

    /// The text of the first element that a selector finds.
    pub fn text(&mut self, selector: &str) -> String {
        let found = self.eval(&format!("document.querySelector({})?.textContent", json!(selector)));
        found.as_str().unwrap_or_else(|| panic!("{selector} finds nothing")).to_owned()
    }

    fn wait_for_event(&mut self, method: &str) {
        while !self.events.iter().any(|event| event["method"] == method) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// Presses and releases a key on whatever has the focus.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            "Enter" => 13,
            _ => 0,
        };
        let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key.chars().count() == 1 {
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", event);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Moves the mouse along some points with the button held; one point is a click.
    pub fn drag(&mut self, points: &[(f64, f64)]) {
        let first = points.first().copied().expect("a point");
        let last = points.last().copied().expect("a point");
        self.mouse("mousePressed", first);
        for &point in &points[1..] {
            self.mouse("mouseMoved", point);
        }
        self.mouse("mouseReleased", last);
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Clicks in the middle of the first element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        let middle = self.eval(&format!(
            "(() => {{ const box = document.querySelector({}).getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        let at = |index: usize| middle[index].as_f64().expect("a coordinate");
        self.drag(&[(at(0), at(1))]);
    }

    /// Waits until what was done is on the screen.
    pub fn settle(&mut self) {
        self.eval(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))",
        );
    }

    /// Errors and warnings of the page, and requests for anything but the page itself.
    pub fn complaints(&mut self) -> Vec<String> {
        // An answer comes after all events before it.
        self.settle();
        let is_complaint = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded") => true,
            Some("Network.requestWillBeSent") => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
                !(url.starts_with("file:") && url.contains("/report-")) && url != "data:,"
            }
            _ => false,
        };
        self.events.iter().filter(is_complaint).map(Value::to_string).collect()
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut request = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(request.to_string())).expect("the browser listens");
        loop {
            let mut answer = self.receive();
            if answer["id"] == json!(self.last_id) {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    /// The next message; the socket gives up after a while.
    fn receive(&mut self) -> Value {
        loop {
            let message = self.socket.read().expect("the browser answers in time");
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).expect("a message in JSON");
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to close, the browser ends its helpers too. A broken connection must not keep it alive.
        let close = json!({ "id": 0, "method": "Browser.close" });
        let _ = self.socket.send(Message::text(close.to_string()));
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(3) {
            if let Ok(Some(_)) = self.process.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The browser that the user names, or the first of the usual names.
fn find_program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RAVELIN_CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places =
        names.iter().flat_map(|name| directories.iter().map(move |place| place.join(name)));
    places.find(|place| place.is_file())
}

/// Connects to the browser that writes its port and path to a file.
fn connect(port_file: &Path) -> Option<WebSocket<TcpStream>> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(10));
        let Ok(text) = std::fs::read_to_string(port_file) else { continue };
        // The file may be half written.
        let Some((port, path)) = text.split_once('\n') else { continue };
        let path = path.trim();
        if path.is_empty() {
            continue;
        }
        let address = format!("127.0.0.1:{port}");
        let stream = TcpStream::connect(&address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let (socket, _) = tungstenite::client(format!("ws://{address}{path}"), stream).ok()?;
        return Some(socket);
    }
    None
}
