//! Free memory: how many bytes can still be used before the system runs out of them.
//!
//! Linux grants more memory than it has and ends a process that uses it, so that no allocation
//! fails there. What is free is the least of three numbers: the memory that the system can provide
//! without swapping, the rest of the limit of the control group, and the rest of the limit of
//! address space (`ulimit -v`).

use std::fs::read_to_string;

/// Returns the number of bytes of memory that are free, as far as it is known. Elsewhere than on
/// Linux it is not.
pub fn free() -> Option<u64> {
    let numbers = [system(), control_group(), address_space()];
    numbers.into_iter().flatten().min()
}

/// Returns the memory that the system can provide without swapping.
fn system() -> Option<u64> {
    kilobytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// Returns the rest of the limit of address space, if there is one.
fn address_space() -> Option<u64> {
    let limit = address_limit(&read_to_string("/proc/self/limits").ok()?)?;
    let used = kilobytes(&read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(limit.saturating_sub(used))
}

/// Returns the rest of the memory limit of the control group of the process, if it has one. Cached
/// files count as free.
fn control_group() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    group_folders(&groups)
        .into_iter()
        .find_map(|(folder, names)| {
            let read = |name: &str| read_to_string(format!("{folder}/{name}")).ok();
            let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
            let [limit, used] = names.map(number);
            let cached = read("memory.stat").and_then(|text| {
                let line = text
                    .lines()
                    .find_map(|line| line.strip_prefix("inactive_file "))?;
                line.trim().parse().ok()
            });
            let used = used?.saturating_sub(cached.unwrap_or(0));
            Some(limit?.saturating_sub(used))
        })
}

/// Returns the folders that may have the memory limit of a control group, with the names of the
/// files of limit and use. `groups` is the content of `/proc/self/cgroup`. Within a container the
/// folder of its group is the root.
fn group_folders(groups: &str) -> Vec<(String, [&'static str; 2])> {
    const V2: [&str; 2] = ["memory.max", "memory.current"];
    const V1: [&str; 2] = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
    let mut folders = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let path = path.trim_end_matches('/');
        let (root, names) = match controllers {
            "" => ("/sys/fs/cgroup", V2),
            list if list.split(',').any(|name| name == "memory") => ("/sys/fs/cgroup/memory", V1),
            _ => continue,
        };
        folders.push((format!("{root}{path}"), names));
        folders.push((root.to_owned(), names));
    }
    folders
}

/// Returns the number of bytes in the line of a text that begins with `name` and ends with `kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// Returns the soft limit of address space in the content of `/proc/self/limits`, if there is one.
fn address_limit(limits: &str) -> Option<u64> {
    let line = (limits.lines()).find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_system_are_read() {
        let text = "MemTotal:  8000 kB\nMemAvailable:    4000 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(4_096_000));
        assert_eq!(kilobytes(text, "VmSize:"), None);
        let limits = "Max address space         921600000            unlimited            bytes\n";
        assert_eq!(address_limit(limits), Some(921_600_000));
        assert_eq!(
            address_limit(&limits.replace("921600000", "unlimited")),
            None
        );
    }

    #[test]
    fn control_groups_of_both_versions_are_found() {
        let first = |groups: &str| group_folders(groups).first().cloned();
        let (folder, names) = first("0::/user.slice/a\n").unwrap();
        assert_eq!(folder, "/sys/fs/cgroup/user.slice/a");
        assert_eq!(names, ["memory.max", "memory.current"]);
        let (folder, _) = first("7:cpu:/x\n5:memory,pids:/docker/b\n").unwrap();
        assert_eq!(folder, "/sys/fs/cgroup/memory/docker/b");
        assert_eq!(group_folders("0::/\n")[0].0, "/sys/fs/cgroup");
        assert!(group_folders("nonsense").is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn something_is_free() {
        assert!(free().unwrap() > 1 << 20);
    }
}
