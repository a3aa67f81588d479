//! Allowed dependencies between the modules of a crate: a room is a file or folder in its `src`, an arrow is a path that starts with
//! `crate::` (or, in the file of a room, with `super::`).
//!
//! An arrow that is not listed here is an error, and so is one that is listed and no longer exists. `lib.rs` and `main.rs` are not rooms;
//! what `lib.rs` re-exports counts as used from its own room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::crates::{folders, root};

/// The rooms each room uses within its crate.
const ALLOWED: &[(&str, &str)] = &[
    (
        "domain",
        "
        accounting: ids money order payment points
        alarm: event ids
        allocation: money rounding
        bulk_grant: coupon event ids member money points record unit_of_work
        catalogue: event ids money record validation
        center: business_day forms ids inquire member_record personal record schema storefront validation
        checkout: coupon event ids member money order payment personal points stock unit_of_work user_payment
        coupon: business_day catalogue codes event ids member money month_day record storefront unit_of_work validation
        deadline: event
        distance: shipping
        event: ids
        file: event personal
        forms: address business_day month_day validation
        holiday: business_day record validation
        inquire: forms ids member_record personal record validation
        member: event ids personal storefront
        member_record: forms ids personal record validation
        message: event forms personal record schema validation
        order: allocation business_day catalogue codes coupon event ids member money payment personal price_trace rounding shipping storefront
        payment: codes event ids money personal
        personal: shipping
        points: business_day event ids member money order record rounding site unit_of_work
        policies: business_day center coupon event ids inquire member message money month_day order payment points raffle record review rounding site unit_of_work user_payment
        price_trace: money shipping
        pricing: allocation catalogue coupon distance ids money order price_trace rounding shipping
        raffle: event ids member personal record storefront unit_of_work
        record: event money rounding schema unit_of_work validation
        registry: alarm bulk_grant catalogue center coupon deadline event file holiday inquire member message order payment points raffle record review sending shipping site stock storefront user_payment
        review: address catalogue forms ids member_record money order record validation
        rounding: money
        sending: business_day event forms ids member unit_of_work
        shipping: ids money record validation
        site: catalogue member money record review rounding validation
        stock: event ids
        storefront: catalogue ids record schema shipping validation
        unit_of_work: event
        user_payment: codes event ids money
        validation: money
        ",
    ),
    (
        "embedded-postgres",
        "
        cluster: binaries data_dir os_user server
        data_dir: binaries os_user private_file
        server: binaries os_user
        tests: binaries data_dir os_user server
        ",
    ),
    (
        "event-store",
        "
        advisory_lock: append command_key error stream_id
        append: command_key error metadata stream_id
        append_request: advisory_lock append command_key error stream_id
        backup: error keys projection store
        cqrs: append error metadata store upcast
        error: command_key stream_id
        event_fixtures: error upcast
        group_commit: append_request error
        hash_chain: advisory_lock error store stream_id
        horizon: error notify store tail
        keys: transaction
        locked_append: advisory_lock append command_key error log_rows store stream_id transaction write
        log_rows: error metadata payload snapshot stored_event stream_id upcast
        log_snapshot: error
        projection: advisory_lock error horizon log_rows store stored_event stream_id transaction
        read: error log_rows log_snapshot snapshot store stored_event stream_id
        reservations: error store
        snapshot: error stored_event stream_id
        store: error group_commit notify snapshot upcast
        stored_event: error metadata payload stream_id
        tail: notify store testing
        testing: store
        upcast: error payload stored_event
        write: append append_request command_key error group_commit store
        write_probe: error store
        ",
    ),
    (
        "search-index",
        "
        document: korean
        embedded: document engine index_op korean query
        engine: document query
        index_op: document
        meilisearch: document engine index_op korean query
        ",
    ),
    (
        "projections",
        "
        bulk_grants: error event_decode macros page row_store timestamp
        categories: error event_decode macros page row_store
        counts: error
        coupon_codes: error event_decode macros page row_store timestamp
        deadlines: bulk_grants error event_decode macros page points_statement raffles row_store sendings timestamp
        event_decode: error timestamp
        inquires: counts error event_decode macros page record_event row_store timestamp
        mask: error
        member_coupons: error event_decode macros page row_store timestamp
        members: error event_decode macros page row_store timestamp
        messages: error event_decode macros page row_store timestamp
        order_timeline: error event_decode macros mask orders page row_store timestamp
        orders: counts error event_decode macros mask ngrams page row_store seller timestamp
        page: error
        points_statement: error event_decode macros page row_store timestamp
        products: categories counts error event_decode macros ngrams page record_event records reviews row_store seller stock timestamp
        raffles: error event_decode macros page row_store timestamp
        record_event: error event_decode
        record_elements: error ngrams page record_lists records
        record_lists: counts error inquires ngrams page products records reviews row_store
        records: counts error event_decode macros member_coupons page record_event row_store timestamp
        refunds: error event_decode macros page records row_store timestamp
        reviews: counts error event_decode macros page record_event row_store timestamp
        row_store: error
        search_documents: error event_decode macros page products record_event row_store timestamp
        sendings: error event_decode macros page row_store timestamp
        slug_redirects: error macros record_event row_store
        state: deadlines error event_decode members page timestamp
        stock: error event_decode macros page row_store
        user_payments: error event_decode macros page row_store timestamp
        verify: error
        waiting: error messages orders row_store
        ",
    ),
    (
        "integrations",
        "
        payment: http
        recaptcha: http
        sms: http mail
        ",
    ),
    (
        "sandbox",
        "
        control: faults journal pay_page refusal service state
        journal: state
        mail: mail_faults pay_page service state
        pay_page: banks refusal service state
        protocol: faults refusal service sign state
        recaptcha: faults service
        service: faults journal mail_faults refusal state used_signatures widget_responses
        sms: faults pay_page protocol service state used_signatures
        state: banks refusal sign
        ",
    ),
    (
        "application",
        "
        access: error
        alarm_hub: error metrics
        app: blob_store clock error executor nickname_index passwords pricing_rules revoked_sign_ins
        bulk_grants: app error executor members reservations
        contacts: app error executor member_records
        coupon_codes: app coupons error executor
        coupon_offers: app coupons error orders
        coupon_reach: app error
        coupons: app error executor members
        error: reservations
        executor: clock error metrics
        files: access app blob_store error executor
        inquires: app error executor member_records
        inquiries: app error executor files member_records
        member_records: app error executor json
        members: access app error executor files reservations terms
        json: error
        messages: app due_timer error executor members reservations terms
        nickname_index: error
        orders: access app error executor files payment_methods pricing_rules reservations resources terms
        passwords: error
        payments: app error executor orders payment_methods reservations
        points: app error executor
        policies: app coupons due_timer error executor files member_records members messages orders payments pricing_rules raffles sendings
        pricing_rules: error
        questions: app error executor files member_records
        raffles: app error executor
        resources: access app coupons error executor files html inquiries json members messages nickname_index pricing_rules questions raffles
        reviews: app error executor member_records orders
        revoked_sign_ins: access error
        sendings: app bulk_grants error executor members messages reservations
        terms: app error
        ",
    ),
    (
        "demo",
        "
        claims: client people
        corrections: client people
        coupons: client people points
        feedback: client people rng
        goods: catalogue client people storefront
        holidays: client
        order_plans: goods people rng
        orders: claims client corrections coupons feedback goods order_plans people
        people: catalogue client rng
        points: client people
        searches: client
        site: client
        storefront: client people
        ",
    ),
    (
        "api",
        "
        addresses: app http
        app: limits settings tokens
        audit: app command_titles http metrics settings
        auth: app http limits tokens
        backup: app audit settings
        cli: app audit backup database demonstration metrics rebuild refusals serve settings users worker
        console: app audit command_titles http rebuild shop
        database: settings
        demonstration: app metrics seed serve settings
        files: app http
        guest_pass: app limits
        http: app limits metrics settings tokens
        limits: settings
        me: app files http limits shop users
        metrics: app
        operations: app http
        payment_window: app http
        plugins: app guest_pass http limits payment_window settings shop
        rebuild: app http search_feed settings
        router: addresses app auth console files http limits me operations payment_window plugins shop users
        search_feed: app http settings
        seed: app http router settings worker
        serve: addresses app http router search_feed settings worker
        shop: app files guest_pass http limits metrics payment_window
        users: app audit files http
        worker: app audit rebuild tokens
        ",
    ),
];

type Arrows = BTreeSet<(String, String)>;

/// The paths and texts of the Rust files of a folder, without comment lines.
fn sources(folder: &Path, within: &str, found: &mut Vec<(String, String)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            sources(&path, &format!("{within}{name}/"), found)?;
        } else if let Some(name) = name.strip_suffix(".rs") {
            let text = fs::read_to_string(&path)?;
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let text = lines.flat_map(|line| [line, "\n"]).collect();
            found.push((format!("{within}{name}"), text));
        }
    }
    Ok(())
}

/// The leading word of a text.
fn word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The names that follow a path: one name, or each of those in braces.
fn names(after: &str) -> Vec<&str> {
    let Some(inner) = after.strip_prefix('{') else {
        return vec![word(after)];
    };
    let mut names = vec![word(inner.trim_start())];
    let mut depth = 0;
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(word(inner[at + 1..].trim_start())),
            _ => {}
        }
    }
    names
}

/// The arrows between the rooms of these files.
fn arrows(files: &[(String, String)]) -> Arrows {
    let is_root = |path: &str| path == "lib" || path == "main";
    let room = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let rooms: BTreeSet<String> = files.iter().map(|(path, _)| room(path)).collect();
    let mut reexported = BTreeMap::new();
    for (_, text) in files.iter().filter(|(path, _)| path == "lib") {
        for used in text.split("pub use ").skip(1) {
            let used = used.split(';').next().unwrap_or_default();
            let (from, items) = used.split_once("::").unwrap_or_default();
            let items = names(items).into_iter();
            reexported.extend(items.map(|item| (item.to_owned(), from.to_owned())));
        }
    }
    let mut found = Arrows::new();
    for (path, text) in files.iter().filter(|(path, _)| !is_root(path)) {
        let depth = path.trim_end_matches("/mod").split('/').count();
        let up = format!("use {}", "super::".repeat(depth));
        let from_root = text.split("crate::").skip(1);
        let from_parent = text
            .lines()
            .filter_map(|line| line.trim_start_matches("pub ").strip_prefix(&up));
        for name in from_root.chain(from_parent).flat_map(names) {
            let to = reexported.get(name).map_or(name, String::as_str);
            if rooms.contains(to) && !is_root(to) && to != room(path) {
                found.insert((room(path), to.to_owned()));
            }
        }
    }
    found
}

/// The rooms that depend on themselves through others.
fn in_circles(mut arrows: Arrows) -> BTreeSet<String> {
    loop {
        let (using, used): (BTreeSet<_>, BTreeSet<_>) = arrows.iter().cloned().unzip();
        let before = arrows.len();
        arrows.retain(|(from, to)| used.contains(from) && using.contains(to));
        if arrows.len() == before {
            return using;
        }
    }
}

fn arrows_of(folder: &str) -> Arrows {
    let mut files = Vec::new();
    let read = sources(&root().join(folder).join("src"), "", &mut files);
    assert!(read.is_ok() && !files.is_empty(), "{folder}: {read:?}");
    arrows(&files)
}

/// Parses a list of arrows: each line has a room, a colon and the rooms it uses.
fn listed(list: &str) -> Arrows {
    let lines = list.lines().filter_map(|line| line.split_once(':'));
    let arrows =
        lines.flat_map(|(from, to)| to.split_whitespace().map(move |to| (from.trim(), to)));
    arrows
        .map(|(from, to)| (from.to_owned(), to.to_owned()))
        .collect()
}

#[test]
fn arrows_between_the_rooms_are_listed() {
    let folders = folders();
    let named: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let there: BTreeSet<&str> = folders.keys().map(String::as_str).collect();
    assert_eq!(there, named, "crates of the workspace, and of this test");
    let mut wrong = Vec::new();
    for (name, list) in ALLOWED {
        let (found, known) = (arrows_of(&folders[*name]), listed(list));
        for (from, to) in found.difference(&known) {
            wrong.push(format!("{name}: {from} must not use {to}"));
        }
        for (from, to) in known.difference(&found) {
            wrong.push(format!(
                "{name}: {from} does not use {to} any more, strike it out"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_room_uses_itself_through_others() {
    for (name, folder) in folders() {
        let circles = in_circles(arrows_of(&folder));
        assert!(circles.is_empty(), "{name}: a circle among {circles:?}");
    }
}

#[test]
fn arrows_are_read_from_sources() {
    let files = [
        ("lib", "mod a;\nmod b;\npub use c::{Inner, Other};\n"),
        ("a", "use crate::b::Thing;\n"),
        (
            "b/mod",
            "use crate::{Inner, a::{Thing, Other}, d};\nmod x;\n",
        ),
        ("b/x", "use super::own;\npub use super::super::d::Thing;\n"),
        ("c", "use super::a;\nfn f() { crate::c::g($crate::b::H) }\n"),
        ("d", "use other::crates;\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let found = arrows(&files);
    assert_eq!(found, listed("a: b\n b: a c d\n c: a b\n"));
    let circles = in_circles(found);
    assert_eq!(circles, BTreeSet::from(["a", "b", "c"].map(str::to_owned)));
    assert!(in_circles(listed("a: b c\n b: c\n")).is_empty());
}
